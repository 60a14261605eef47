package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.ServerDescription;
import java.time.Instant;

/** Whether an MCP server can be used. */
public sealed interface UpstreamState {
    /** Not connected, because it has not been used yet or was idle; the next call connects. */
    record NotStarted() implements UpstreamState {}

    /** Connected. */
    record Connected(ServerDescription server, Instant since) implements UpstreamState {}

    /**
     * It cannot be reached, or has ended. Calls fail at once until the next attempt to connect.
     *
     * @param why one sentence
     */
    record Unavailable(String why, Instant since, Instant retryAt) implements UpstreamState {}
}
