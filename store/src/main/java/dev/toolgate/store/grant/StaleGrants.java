package dev.toolgate.store.grant;

import dev.toolgate.core.call.Unavailable;
import org.jspecify.annotations.Nullable;

/** Cached permissions may be out of date and the database is unavailable, so the call is denied. */
public final class StaleGrants extends Unavailable {
    private static final long serialVersionUID = 1;

    StaleGrants(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
