package dev.toolgate.server.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that tests advance; it starts now. */
public final class ManualClock implements InstantSource {
    private Instant now = Instant.now();

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Advances the clock. */
    public synchronized void advance(Duration time) {
        now = now.plus(time);
    }
}
