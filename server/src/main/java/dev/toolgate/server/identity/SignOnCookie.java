package dev.toolgate.server.identity;

import java.net.URI;

/**
 * The cookie that binds a log-in at the provider to the browser that started it. Browsers must send it with the
 * redirect from the provider, so it is SameSite=Lax, unlike the cookie of the log-in itself.
 */
public final class SignOnCookie {
    private static final String NAME = "toolgate_sign_on";
    private static final int SECONDS = 600;

    private SignOnCookie() {}

    /** Its name; over TLS with a prefix by which browsers accept it from this host only, not from a sibling domain. */
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
