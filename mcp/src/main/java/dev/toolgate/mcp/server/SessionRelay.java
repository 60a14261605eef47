package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;

/**
 * Passes what a client sent to this instance on to the one where it is awaited: cancellations and answers to questions.
 * The other instance gives it to {@link McpEngine#receive}.
 */
@FunctionalInterface
public interface SessionRelay {
    /** There are no other instances. */
    SessionRelay NONE = (_, _) -> false;

    /** Passes a message on; false if there is nobody to pass it to. */
    boolean forward(String sessionId, RpcMessage message);
}
