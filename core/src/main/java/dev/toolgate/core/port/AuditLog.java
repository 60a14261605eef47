package dev.toolgate.core.port;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The append-only record of every call. Both methods return only once the entry is durable. */
public interface AuditLog {

    /** A tool that changes something is about to start. */
    void intend(Intent intent);

    /** A call has ended, one way or another. */
    void record(Entry entry);

    /** What is about to happen. */
    record Intent(
            RequestId requestId,
            Caller caller,
            @Nullable String project,
            String tool,
            ObjectNode parameters,
            Instant at) {}

    /**
     * The fact of one call. Parameters and texts are already free of secrets.
     *
     * @param tool the canonical name, or the name as sent if no tool has it
     */
    record Entry(
            RequestId requestId,
            Caller caller,
            @Nullable String project,
            String tool,
            ObjectNode parameters,
            Instant at,
            Duration took,
            Status status,
            @Nullable ErrorCode error,
            @Nullable String denialReason,
            @Nullable String approvedBy,
            String resultSummary) {

        /** Whether the gate let the call through. */
        public boolean allowed() {
            return status != Status.REFUSED;
        }
    }

    /** How the call ended. */
    enum Status {
        COMPLETED,
        FAILED,
        REFUSED,
        INTERRUPTED
    }
}
