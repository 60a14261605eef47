package dev.toolgate.server.identity;

import java.util.Locale;

/** Why somebody was not logged in by the provider; the log-in page has a sentence for each. */
public enum SignOnProblem {
    /** No provider is configured. */
    NOT_CONFIGURED,
    /** The log-in was begun in another browser, too long ago, or has been used. */
    ENDED,
    /** The provider, or the person there, did not agree. */
    DECLINED,
    /** What the provider sent is not to be trusted. */
    NOT_VALID,
    /** No group of the person has a role here. */
    NO_ROLE,
    /** Too many log-ins have failed. */
    SLOWED_DOWN,
    /** The provider cannot be used now. */
    UNREACHABLE;

    /** Its name in addresses. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
