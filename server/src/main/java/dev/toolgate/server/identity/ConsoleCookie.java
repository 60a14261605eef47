package dev.toolgate.server.identity;

import java.time.Duration;

/** The cookie of a console log-in, inaccessible to scripts and other sites. */
public record ConsoleCookie(Secure secure) {
    public static final String NAME = "toolgate_session";

    /** When the cookie is restricted to HTTPS. */
    public enum Secure {
        WHEN_SENT_BY_TLS,
        /** For a server behind a TLS proxy. */
        ALWAYS
    }

    /** The channel of a request. */
    public enum Channel {
        PLAIN,
        TLS
    }

    /** The {@code Set-Cookie} header that sets the cookie. */
    String holding(String session, Duration lifetime, Channel channel) {
        return NAME + "=" + session + "; Path=/; Max-Age=" + lifetime.toSeconds() + attributes(channel);
    }

    /** The {@code Set-Cookie} header that deletes the cookie. */
    public String forgetting(Channel channel) {
        return NAME + "=; Path=/; Max-Age=0" + attributes(channel);
    }

    private String attributes(Channel channel) {
        boolean onlyEncrypted = secure == Secure.ALWAYS || channel == Channel.TLS;
        return "; HttpOnly; SameSite=Strict" + (onlyEncrypted ? "; Secure" : "");
    }
}
