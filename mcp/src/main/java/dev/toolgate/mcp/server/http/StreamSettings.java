package dev.toolgate.mcp.server.http;

import java.time.Duration;

/**
 * How streams behave.
 *
 * @param keepAlive after how much silence a comment is sent, so that nobody takes the connection for dead
 * @param openAfter after which time a request that still runs gets a stream, for the same reason
 */
public record StreamSettings(Duration keepAlive, Duration openAfter) {
    public static final StreamSettings DEFAULT = new StreamSettings(Duration.ofSeconds(15), Duration.ofSeconds(5));
}
