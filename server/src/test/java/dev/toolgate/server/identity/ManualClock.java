package dev.toolgate.server.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves on; it starts now. */
public final class ManualClock implements InstantSource {
    private Instant now = Instant.now();

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Lets so much time pass. */
    public synchronized void advance(Duration time) {
        now = now.plus(time);
    }
}
