package dev.toolgate.mcp.server.http;

import java.util.Map;

/** The response to an HTTP request. */
public sealed interface HttpReply {

    /** A JSON body. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Json(int status, Map<String, String> headers, byte[] body) implements HttpReply {}

    /** A status without a body. */
    record Empty(int status, Map<String, String> headers) implements HttpReply {}

    /** Nothing: the response was already written to the {@link StreamSink}. */
    record Streamed() implements HttpReply {}
}
