package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Principal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A log-in to the console.
 *
 * @param displayName of a person who logged in through a provider; null for a log-in with a key
 * @param csrfToken to be sent in {@code X-CSRF-Token} with every change
 * @param until when the log-in ends in any case
 */
public record ConsoleLogin(Principal principal, @Nullable String displayName, String csrfToken, Instant until) {

    /** Leaves out the CSRF token. */
    @Override
    public String toString() {
        return "ConsoleLogin of " + principal;
    }
}
