package dev.toolgate.server.identity;

import java.time.Duration;

/** The cookie a browser holds while somebody is logged in: out of reach of scripts and of other sites. */
public record SessionCookie(Secure secure) {
    public static final String NAME = "toolgate_session";

    /** When the cookie is kept off unencrypted connections. */
    public enum Secure {
        WHEN_SENT_BY_TLS,
        /** For a server behind something that speaks TLS in its place. */
        ALWAYS
    }

    /** How a request came. */
    public enum Channel {
        PLAIN,
        TLS
    }

    /** The header {@code Set-Cookie} that makes a browser hold a session. */
    String holding(String session, Duration lifetime, Channel channel) {
        return NAME + "=" + session + "; Path=/; Max-Age=" + lifetime.toSeconds() + attributes(channel);
    }

    /** The header {@code Set-Cookie} that makes a browser forget it. */
    public String forgetting(Channel channel) {
        return NAME + "=; Path=/; Max-Age=0" + attributes(channel);
    }

    private String attributes(Channel channel) {
        boolean onlyEncrypted = secure == Secure.ALWAYS || channel == Channel.TLS;
        return "; HttpOnly; SameSite=Strict" + (onlyEncrypted ? "; Secure" : "");
    }
}
