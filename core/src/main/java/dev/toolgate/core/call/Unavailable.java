package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;

/** A dependency cannot be reached now; retrying later may succeed. */
public class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
