package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Principal;
import java.time.Instant;

/**
 * Somebody is logged in to the console.
 *
 * @param csrfToken to be sent back in {@code X-CSRF-Token} with every change
 * @param until when they have to log in again in any case
 */
public record OpenSession(Principal principal, String csrfToken, Instant until) {

    /** Says nothing of the token. */
    @Override
    public String toString() {
        return "OpenSession of " + principal;
    }
}
