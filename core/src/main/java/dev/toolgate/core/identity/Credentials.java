package dev.toolgate.core.identity;

import org.jspecify.annotations.Nullable;

/**
 * The credentials of a request.
 *
 * @param authorization the {@code Authorization} header
 * @param cookie the value of the console's session cookie
 * @param csrfToken the header {@code X-CSRF-Token}
 * @param kind whether the request can change anything; a cookie without CSRF token suffices only for reading
 * @param remoteAddress used to throttle repeated failures
 */
public record Credentials(
        @Nullable String authorization,
        @Nullable String cookie,
        @Nullable String csrfToken,
        Kind kind,
        String remoteAddress) {

    /** Whether a request can change anything. */
    public enum Kind {
        READS,
        CHANGES,
        /** It continues an open stream, which does not count as user activity. */
        LISTENS
    }

    /** Leaves out the credentials. */
    @Override
    public String toString() {
        return "Credentials from " + remoteAddress;
    }
}
