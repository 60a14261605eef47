package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.Unavailable;
import org.jspecify.annotations.Nullable;

/** A record is not durable, or nobody can say whether it is. */
public final class NotRecorded extends Unavailable {
    private static final long serialVersionUID = 1;

    private final Certainty certainty;

    /** What is known about a record that was not acknowledged. */
    public enum Certainty {
        /** It was never written. */
        NOT_WRITTEN,
        /** It may be there all the same. */
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
