package dev.toolgate.server.door.access;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.server.door.TextFields;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request to undo a change.
 *
 * @param requestId a repeated request with the same id is answered like the first; {@code null} for a new one
 * @param reason why, for the audit record and for approvers
 */
record UndoRequest(@Nullable RequestId requestId, @Nullable String reason) {
    private static final int MAX_REASON = 500;

    UndoRequest {
        TextFields.checkNullable("reason", reason, MAX_REASON);
    }
}
