package dev.toolgate.server.http;

import java.time.Duration;

/** How fast a body must arrive: there is some time to begin with, and every byte buys a little more. */
record Pace(Duration patience, int bytesPerSecond) {
    static final Pace NONE = new Pace(Duration.ofSeconds(1), 1 << 20);

    long nanosFor(long bytes) {
        return patience.toNanos() + bytes * 1_000_000_000L / bytesPerSecond;
    }
}
