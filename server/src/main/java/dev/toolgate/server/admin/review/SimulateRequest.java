package dev.toolgate.server.admin.review;

import dev.toolgate.server.admin.permission.BulkRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A draft of permission changes and the calls to try it on.
 *
 * @param changes as for a bulk change
 * @param since earlier calls are not replayed; the last 30 days if left out
 * @param examples how many examples of each kind are wanted; 20 if left out
 */
record SimulateRequest(
        List<BulkRequest.Change> changes,
        @Nullable Instant since,
        @Nullable Integer examples) {
    private static final int MAX_EXAMPLES = 1_000;
    private static final int DEFAULT_EXAMPLES = 20;

    SimulateRequest {
        if (examples != null && (examples < 0 || examples > MAX_EXAMPLES)) {
            throw new IllegalArgumentException("Field 'examples' must be between 0 and " + MAX_EXAMPLES + ".");
        }
    }

    int wantedExamples() {
        return examples == null ? DEFAULT_EXAMPLES : examples;
    }
}
