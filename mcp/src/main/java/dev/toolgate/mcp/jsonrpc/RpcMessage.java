package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One JSON-RPC message. Its trees are the ones that were read: nobody changes them. */
public sealed interface RpcMessage {

    /** Something that is answered. */
    record Request(RpcId id, String method, @Nullable ObjectNode params) implements RpcMessage {}

    /** Something that is not answered. */
    record Notification(String method, @Nullable ObjectNode params) implements RpcMessage {}

    /** The answer to a request. */
    sealed interface Response extends RpcMessage {}

    /** The request was carried out. */
    record Result(RpcId id, ObjectNode result) implements Response {}

    /**
     * The request failed.
     *
     * @param id null if the id of the request could not be read
     */
    record Failure(@Nullable RpcId id, RpcError error) implements Response {}
}
