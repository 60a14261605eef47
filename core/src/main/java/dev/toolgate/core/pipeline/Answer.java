package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a dialect turns into a response.
 *
 * @param logged whether the call is durably on record
 * @param held where the call waits, if it has not ended but was left to be collected later
 */
public record Answer(
        RequestId requestId,
        Outcome outcome,
        boolean logged,
        @Nullable Held held) {

    /** The answer to a call that is over. */
    public Answer(RequestId requestId, Outcome outcome, boolean logged) {
        this(requestId, outcome, logged, null);
    }

    /** A call that waits for a person's answer to this question. */
    public record Held(UUID question, Instant expiresAt) {}
}
