package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;

/**
 * Forwards cancellations and answers to questions, which a client sent to this instance, to the instance that expects
 * them. The other instance passes them to {@link McpEngine#receive}.
 */
@FunctionalInterface
public interface SessionRelay {
    /** There are no other instances. */
    SessionRelay NONE = (_, _) -> false;

    /** Forwards a message; false if no other instance expects it. */
    boolean forward(String sessionId, RpcMessage message);
}
