package dev.toolgate.chat.provider;

import java.time.Duration;

/**
 * How long to wait for a model server.
 *
 * @param connect for a connection
 * @param idle for the next byte of an answer, the first one included
 * @param document for the whole of an answer that is not streamed, for example a list of models
 * @param retries how often to ask again when the server has no time now; never once an answer has begun
 * @param firstPause before the first retry, doubled for each further one
 * @param longestPause the longest wait a server may ask for; beyond it the user decides
 */
public record Timeouts(
        Duration connect, Duration idle, Duration document, int retries, Duration firstPause, Duration longestPause) {
    /** A model may have to be loaded first, or think for minutes without a word; for a document nobody has to think. */
    public static final Timeouts USUAL = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            2,
            Duration.ofMillis(500),
            Duration.ofSeconds(20));
}
