package dev.toolgate.mcp.server;

import java.time.Duration;

/**
 * The limits of an engine.
 *
 * @param askTimeout how long a client may take to answer a question in the legacy era
 * @param maxInputRounds how many rounds of questions one request may have in the legacy era
 * @param maxStreams the maximum number of open subscriptions
 * @param maxPendingChanges how many changes are queued for a slow client before its stream is closed
 * @param maxSubscribed how many resources a client may subscribe to, and how many ids of tasks one request may list;
 *     only the first few tasks are followed
 */
public record EngineSettings(
        Duration askTimeout, int maxInputRounds, int maxStreams, int maxPendingChanges, int maxSubscribed) {
    public static final EngineSettings DEFAULT = new EngineSettings(Duration.ofMinutes(5), 10, 10_000, 1_000, 1_000);
}
