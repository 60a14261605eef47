package dev.toolgate.http.request;

import dev.toolgate.runtime.network.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;

/**
 * Finds the client behind trusted proxies. Each proxy appends the address it was called from, so the list is read from
 * its end, and the first address that is not a trusted proxy is the client's; everything before it was written by the
 * client and is ignored. Headers of untrusted peers are not read.
 */
public final class RequestSources {
    private final List<Cidr> trusted;

    public RequestSources(List<Cidr> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    public RequestSource of(Request request) {
        String peer = Request.getRemoteAddr(request);
        RequestSource.Channel own = request.isSecure() ? RequestSource.Channel.TLS : RequestSource.Channel.PLAIN;
        if (!isTrusted(peer)) {
            return new RequestSource(peer, RequestSource.Arrival.DIRECT, own);
        }
        HttpFields headers = request.getHeaders();
        Optional<String> standard = client(peer, ForwardedFor.inForwarded(headers.getValuesList("Forwarded")));
        Optional<String> common = client(peer, ForwardedFor.inList(headers.getValuesList("X-Forwarded-For")));
        return new RequestSource(
                agreed(peer, standard, common),
                RequestSource.Arrival.BY_PROXY,
                saysHttps(headers) ? RequestSource.Channel.TLS : own);
    }

    // A proxy may set one of the headers and pass on the client's version of the other, and we cannot tell which.
    private static String agreed(String peer, Optional<String> standard, Optional<String> common) {
        if (standard.isPresent() && common.isPresent() && !standard.equals(common)) {
            return peer;
        }
        return standard.or(() -> common).orElse(peer);
    }

    /** The client in a list of hops, nearest last; empty without a list. */
    private Optional<String> client(String peer, List<Optional<InetAddress>> hops) {
        if (hops.isEmpty()) {
            return Optional.empty();
        }
        String known = peer;
        for (Optional<InetAddress> hop : hops.reversed()) {
            if (hop.isEmpty()) {
                return Optional.of(known); // hidden, unknown or malformed: entries before it cannot be trusted
            }
            known = hop.get().getHostAddress();
            if (!isTrusted(hop.get())) {
                return Optional.of(known);
            }
        }
        return Optional.of(known);
    }

    private static boolean saysHttps(HttpFields headers) {
        List<String> values = headers.getCSV("X-Forwarded-Proto", false);
        return (!values.isEmpty() && values.getLast().equalsIgnoreCase("https"))
                || ForwardedFor.lastProtocol(headers.getValuesList("Forwarded")).equalsIgnoreCase("https");
    }

    private boolean isTrusted(String address) {
        return !trusted.isEmpty()
                && ForwardedFor.address(address).map(this::isTrusted).orElse(false);
    }

    private boolean isTrusted(InetAddress address) {
        return trusted.stream().anyMatch(range -> range.contains(address));
    }
}
