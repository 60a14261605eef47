package dev.toolgate.mcp.client.stdio;

import java.time.Duration;

/**
 * How long to wait for a server program.
 *
 * @param write to read its input
 * @param end after its input was closed, before it is asked to end
 * @param terminate after it was asked to end, before it is killed
 * @param kill after it was killed
 */
public record StdioTimeouts(Duration write, Duration end, Duration terminate, Duration kill) {
    public static final StdioTimeouts DEFAULT = new StdioTimeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(5));
}
