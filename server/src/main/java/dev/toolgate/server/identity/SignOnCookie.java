package dev.toolgate.server.identity;

import java.net.URI;

/**
 * The cookie that ties a log-in at the provider to the browser that began it. It is sent along when the browser comes back,
 * hence not restricted to this site as the log-in's own cookie is.
 */
public final class SignOnCookie {
    private static final String NAME = "toolgate_sign_on";
    private static final int SECONDS = 600;

    private SignOnCookie() {}

    /** Its name; over TLS browsers take it from this host only, so that no neighbour can plant one. */
    public static String name(URI callback) {
        return isSecure(callback) ? "__Host-" + NAME : NAME;
    }

    /** The {@code Set-Cookie} header. */
    static String holding(String secret, URI callback) {
        return name(callback) + "=" + secret + "; Path=/; Max-Age=" + SECONDS + "; HttpOnly; SameSite=Lax"
                + (isSecure(callback) ? "; Secure" : "");
    }

    static boolean isSecure(URI callback) {
        return "https".equals(callback.getScheme());
    }
}
