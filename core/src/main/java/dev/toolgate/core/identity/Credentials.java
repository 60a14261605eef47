package dev.toolgate.core.identity;

import org.jspecify.annotations.Nullable;

/**
 * What a request brought along to show who sent it.
 *
 * @param authorization the header of that name
 * @param cookie the value of the console's session cookie
 * @param csrfToken the header {@code X-CSRF-Token}
 * @param kind whether the request can change anything; the cookie alone is enough only for reading
 * @param remoteAddress where it came from, for slowing down repeated failures
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
        /** It reads what it began to read before, which is no sign that somebody is there. */
        LISTENS
    }

    /** Says nothing of what was brought. */
    @Override
    public String toString() {
        return "Credentials from " + remoteAddress;
    }
}
