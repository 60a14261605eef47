package dev.toolgate.store.grant;

import org.jspecify.annotations.Nullable;

/** The permissions in memory may be out of date and the database cannot say; the answer is no. */
public final class StaleGrants extends RuntimeException {
    private static final long serialVersionUID = 1;

    StaleGrants(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
