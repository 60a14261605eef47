package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One JSON-RPC message. Its trees are the parsed ones and must not be modified. */
public sealed interface RpcMessage {

    /** A message that expects a response. */
    record Request(RpcId id, String method, @Nullable ObjectNode params) implements RpcMessage {}

    /** A message that expects no response. */
    record Notification(String method, @Nullable ObjectNode params) implements RpcMessage {}

    /** The answer to a request. */
    sealed interface Response extends RpcMessage {}

    /** The request succeeded. */
    record Result(RpcId id, ObjectNode result) implements Response {}

    /**
     * The request failed.
     *
     * @param id null if the id of the request could not be read
     */
    record Failure(@Nullable RpcId id, RpcError error) implements Response {}
}
