package dev.toolgate.http.request;

import java.time.Duration;

/** The minimum rate of a body: an initial allowance plus time per byte received. */
public record Pace(Duration timeout, int bytesPerSecond) {
    long nanosFor(long bytes) {
        return timeout.toNanos() + bytes * 1_000_000_000L / bytesPerSecond;
    }
}
