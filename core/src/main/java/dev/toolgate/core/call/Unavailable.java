package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;

/** What a port needs to answer cannot be reached now; the same question may be answered later. */
public class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
