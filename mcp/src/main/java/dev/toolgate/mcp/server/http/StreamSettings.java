package dev.toolgate.mcp.server.http;

import java.time.Duration;

/**
 * The settings of streams.
 *
 * @param keepAlive after how much idle time a comment is sent, so that proxies and clients do not drop the connection
 * @param openAfter after which time a running request gets a stream, for the same reason
 */
public record StreamSettings(Duration keepAlive, Duration openAfter) {
    public static final StreamSettings DEFAULT = new StreamSettings(Duration.ofSeconds(15), Duration.ofSeconds(5));
}
