package dev.toolgate.store.audit;

import dev.toolgate.core.port.Unavailable;
import org.jspecify.annotations.Nullable;

/** A record is not durable, or nobody can say whether it is. */
public final class NotRecorded extends Unavailable {
    private static final long serialVersionUID = 1;

    NotRecorded(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
