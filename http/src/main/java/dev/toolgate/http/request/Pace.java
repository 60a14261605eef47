package dev.toolgate.http.request;

import java.time.Duration;

/** How fast a body must arrive: there is some time to begin with, and every byte buys a little more. */
public record Pace(Duration patience, int bytesPerSecond) {
    long nanosFor(long bytes) {
        return patience.toNanos() + bytes * 1_000_000_000L / bytesPerSecond;
    }
}
