package dev.toolgate.server.identity;

import java.util.Locale;

/** Why a log-in through the provider failed; the log-in page has a message for each. */
public enum SignOnProblem {
    /** No provider is configured. */
    NOT_CONFIGURED,
    /** The log-in was started in another browser, has expired, or was completed already. */
    ENDED,
    /** The provider, or the person there, declined. */
    DECLINED,
    /** The provider's response is not valid. */
    NOT_VALID,
    /** No group of the person has a role here. */
    NO_ROLE,
    /** Too many log-ins have failed. */
    SLOWED_DOWN,
    /** The provider is unavailable. */
    UNREACHABLE;

    /** Its name in URLs. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
