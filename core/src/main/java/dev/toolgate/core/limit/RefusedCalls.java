package dev.toolgate.core.limit;

import dev.toolgate.core.call.Caller;
import java.time.Duration;
import java.util.Optional;

/** Counts calls that were refused, and turns callers away for a while who keep making them. */
public interface RefusedCalls {
    /** Nobody counts. */
    RefusedCalls UNCOUNTED = new RefusedCalls() {
        @Override
        public void count(Caller caller) {}

        @Override
        public Optional<TurnedAway> turnedAway(Caller caller) {
            return Optional.empty();
        }
    };

    /** One more call of this caller was refused. */
    void count(Caller caller);

    /** Says how long to wait; empty means go on. */
    Optional<TurnedAway> turnedAway(Caller caller);

    /**
     * A caller that had too many calls refused.
     *
     * @param retryAfter until one more would be looked at
     * @param before how many were turned away since the last one that was looked at
     */
    record TurnedAway(Duration retryAfter, long before) {}
}
