package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcError;

/** The reply to a request. */
public sealed interface EngineReply {

    /** A response with a result. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Success(byte[] message) implements EngineReply {}

    /** A response with an error. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Failed(byte[] message, RpcError error) implements EngineReply {}

    /** Nothing: the client cancelled the request. */
    record None() implements EngineReply {}
}
