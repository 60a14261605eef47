package dev.toolgate.server.door.access;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a caller reports about a tool it ran with a permit.
 *
 * @param output text, or any other JSON value
 * @param error why the tool failed
 */
record ReportedOutcome(
        String status,
        @Nullable JsonNode output,
        @Nullable String error,
        @Nullable Integer executionTimeMs) {
    private static final String SUCCEEDED = "succeeded";
    private static final String FAILED = "failed";

    ReportedOutcome {
        if (!status.equals(SUCCEEDED) && !status.equals(FAILED)) {
            throw new IllegalArgumentException("Field 'status' must be 'succeeded' or 'failed'.");
        }
        if (status.equals(SUCCEEDED) && error != null) {
            throw new IllegalArgumentException("Field 'error' is only for the status 'failed'.");
        }
        if (executionTimeMs != null && executionTimeMs < 0) {
            throw new IllegalArgumentException("Field 'execution_time_ms' must not be negative.");
        }
    }

    Outcome outcome() {
        if (status.equals(SUCCEEDED)) {
            return new Outcome.Completed(Output.json(output));
        }
        Failure failure = Failure.of(
                ErrorCode.TOOL_EXECUTION_FAILED,
                Objects.requireNonNullElse(error, "The caller reports that the tool failed"));
        return new Outcome.Failed(output == null ? failure : failure.withPartial(Output.json(output)));
    }

    @Nullable
    Duration took() {
        return executionTimeMs == null ? null : Duration.ofMillis(executionTimeMs);
    }
}
