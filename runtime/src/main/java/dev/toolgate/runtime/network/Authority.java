package dev.toolgate.runtime.network;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.net.IDN;
import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and a port, normalised so that different spellings of one host are equal.
 *
 * @param host a name in lower-case ASCII, or an address in standard notation
 * @param literal the address, if the host is one
 */
record Authority(String host, int port, @Nullable InetAddress literal) {
    private static final int MAX_NAME_LENGTH = 253;
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:]+:[0-9A-Fa-f:.]*");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /** Reads {@code host} or {@code host:port}. Does not resolve names. */
    static Authority parse(String text, int defaultPort) throws ToolFailure {
        if (text.indexOf('@') >= 0) {
            throw invalid("must not contain a user name or password; send an Authorization header instead");
        }
        if (text.indexOf('%') >= 0) {
            throw invalid("must not have a percent sign in its host");
        }
        int hostEnd = text.startsWith("[") ? text.indexOf(']') + 1 : text.lastIndexOf(':');
        if (hostEnd < 0) {
            hostEnd = text.length();
        } else if (hostEnd == 0) {
            throw invalid("has no host");
        }
        String host = text.substring(0, hostEnd);
        int port = hostEnd == text.length() ? defaultPort : port(text.substring(hostEnd));
        return host.startsWith("[") ? ipv6(host.substring(1, hostEnd - 1), port) : named(host, port);
    }

    /** The host as it is written in a URL. */
    String hostInUrl() {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    /** The host and the port, as they are written in a URL. */
    @Override
    public String toString() {
        return hostInUrl() + ":" + port;
    }

    private static int port(String colonAndPort) throws ToolFailure {
        String digits = colonAndPort.substring(1);
        if (colonAndPort.charAt(0) != ':' || !PORT.matcher(digits).matches()) {
            throw invalid("has a port that is not a number");
        }
        int port = Integer.parseInt(digits);
        if (port < 1 || port > 65535) {
            throw invalid("has a port outside 1 to 65535");
        }
        return port;
    }

    private static Authority ipv6(String host, int port) throws ToolFailure {
        if (!IPV6.matcher(host).matches()) {
            throw invalid("has brackets around something that is not an IPv6 address");
        }
        try {
            InetAddress address = InetAddress.ofLiteral(host);
            return new Authority(address.getHostAddress(), port, address);
        } catch (IllegalArgumentException malformed) {
            throw invalid("has brackets around something that is not an IPv6 address");
        }
    }

    private static Authority named(String written, int port) throws ToolFailure {
        String host = inAscii(written).toLowerCase(Locale.ROOT);
        if (host.endsWith(".")) {
            host = host.substring(0, host.length() - 1);
        }
        if (host.isEmpty()) {
            throw invalid("has no host");
        }
        if (Ipv4Notation.looksLikeIpv4(host)) {
            InetAddress address = Ipv4Notation.parse(host)
                    .orElseThrow(() -> invalid("has a host that ends in a number but is not an IPv4 address"));
            return new Authority(address.getHostAddress(), port, address);
        }
        if (host.length() > MAX_NAME_LENGTH || !NAME.matcher(host).matches()) {
            throw invalid("has a host that is not a valid name");
        }
        return new Authority(host, port, null);
    }

    // Also turns full-width digits and dots into ASCII, so that the checks below see them.
    private static String inAscii(String host) throws ToolFailure {
        if (host.chars().allMatch(c -> c < 0x80)) {
            return host;
        }
        try {
            return IDN.toASCII(host);
        } catch (IllegalArgumentException unwritable) {
            throw invalid("has a host that is not a valid name");
        }
    }

    private static ToolFailure invalid(String problem) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, "The URL " + problem);
    }
}
