package dev.toolgate.core.limit;

import dev.toolgate.core.call.Caller;
import java.time.Duration;
import java.util.Optional;

/** Counts refused calls and rejects callers that keep making them. */
public interface RefusedCalls {
    /** Counts nothing. */
    RefusedCalls UNCOUNTED = new RefusedCalls() {
        @Override
        public void count(Caller caller) {}

        @Override
        public Optional<Rejection> rejection(Caller caller) {
            return Optional.empty();
        }
    };

    /** Counts one refused call. */
    void count(Caller caller);

    /** Whether this caller is rejected now, and for how long. */
    Optional<Rejection> rejection(Caller caller);

    /**
     * A caller with too many refused calls.
     *
     * @param retryAfter until its next call is checked again
     * @param rejectedBefore how many calls were rejected since the last one that was checked
     */
    record Rejection(Duration retryAfter, long rejectedBefore) {}
}
