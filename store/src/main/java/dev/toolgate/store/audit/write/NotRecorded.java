package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.Unavailable;
import org.jspecify.annotations.Nullable;

/** A record is not durable, or it is unknown whether it is. */
public final class NotRecorded extends Unavailable {
    private static final long serialVersionUID = 1;

    private final Certainty certainty;

    /** Whether a record that was not acknowledged may have been written. */
    public enum Certainty {
        /** It was never written. */
        NOT_WRITTEN,
        /** It may have been written. */
        UNKNOWN
    }

    public NotRecorded(String message, @Nullable Throwable cause, Certainty certainty) {
        super(message, cause);
        this.certainty = certainty;
    }

    Certainty certainty() {
        return certainty;
    }
}
