package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which URLs requests may be sent to: https, and http on this machine where allowed. */
public enum EndpointCheck {
    /** Only https. */
    TLS_ONLY,
    /** https, and http to a loopback address. */
    LOOPBACK_WITHOUT_TLS;

    /**
     * Checks a URL.
     *
     * @param what names it in the failure
     */
    public URI require(String what, URI url) throws McpFailure {
        String host = url.getHost();
        if (host == null || url.getUserInfo() != null || url.getFragment() != null) {
            throw refused(what, url, "must have a host and neither a user nor a fragment");
        }
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        if (scheme.equals("https") || (scheme.equals("http") && this == LOOPBACK_WITHOUT_TLS && isLoopback(host))) {
            return url;
        }
        throw refused(
                what,
                url,
                this == TLS_ONLY ? "must use https" : "must use https; http is allowed to a loopback address only");
    }

    /** Checks a URL received from a server. */
    public URI require(String what, @Nullable String url) throws McpFailure {
        if (url == null || url.isBlank()) {
            throw new McpFailure(McpFailureKind.ADDRESS_REFUSED, "There is no " + what + ".");
        }
        try {
            return require(what, URI.create(url));
        } catch (IllegalArgumentException malformed) {
            throw new McpFailure(McpFailureKind.ADDRESS_REFUSED, "The " + what + " is not a valid URL.", malformed);
        }
    }

    // By its spelling alone: a name that only resolves to a loopback address could resolve to another one next time.
    private static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost") || name.equals("[::1]") || name.matches("127(\\.[0-9]{1,3}){3}");
    }

    private static McpFailure refused(String what, URI url, String rule) {
        return new McpFailure(
                McpFailureKind.ADDRESS_REFUSED,
                "The " + what + " " + url.getScheme() + "://" + url.getHost() + " " + rule + ".");
    }
}
