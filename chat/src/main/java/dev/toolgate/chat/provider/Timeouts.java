package dev.toolgate.chat.provider;

import java.time.Duration;

/**
 * Time-outs and retries for model servers.
 *
 * @param connect to establish a connection
 * @param idle between bytes of an answer, including the first
 * @param document for a complete answer that is not streamed, for example a list of models
 * @param retries when the server is busy; never after an answer has begun
 * @param firstPause before the first retry, doubled for each further one
 * @param maxPause the longest wait a server may request before the failure is reported instead
 */
public record Timeouts(
        Duration connect, Duration idle, Duration document, int retries, Duration firstPause, Duration maxPause) {
    /** The idle time-out is long because a model may have to be loaded first or think for minutes. */
    public static final Timeouts DEFAULT = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            2,
            Duration.ofMillis(500),
            Duration.ofSeconds(20));
}
