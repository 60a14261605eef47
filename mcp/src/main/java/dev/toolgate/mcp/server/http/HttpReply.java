package dev.toolgate.mcp.server.http;

import java.util.Map;

/** What to answer to an HTTP request. */
public sealed interface HttpReply {

    /** A JSON body. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Json(int status, Map<String, String> headers, byte[] body) implements HttpReply {}

    /** Nothing but a status. */
    record Empty(int status, Map<String, String> headers) implements HttpReply {}

    /** Nothing: the answer was written to the {@link StreamSink} and has ended. */
    record Streamed() implements HttpReply {}
}
