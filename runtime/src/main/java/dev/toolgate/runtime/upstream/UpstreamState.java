package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.ServerDescription;
import java.time.Instant;

/** Whether an MCP server can be used. */
public sealed interface UpstreamState {
    /** Not connected, because nobody has needed it yet or for a while; the next call connects. */
    record NotStarted() implements UpstreamState {}

    /** Connected. */
    record Connected(ServerDescription server, Instant since) implements UpstreamState {}

    /**
     * It cannot be reached, or has ended. Calls fail at once until it is tried again.
     *
     * @param why one sentence
     */
    record Unavailable(String why, Instant since, Instant retryAt) implements UpstreamState {}
}
