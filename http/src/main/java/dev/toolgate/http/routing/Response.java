package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.events.EventSource;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.http.socket.SocketHandler;
import dev.toolgate.http.socket.SocketPeer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.function.Function;

/** A handler's response. */
public sealed interface Response {

    /**
     * JSON.
     *
     * @param body a tree, or a value written with components in snake case
     */
    record Json(int status, Object body, Map<String, String> headers) implements Response {}

    /** A streamed body. A failure while streaming aborts the connection, so that the client notices. */
    record Stream(int status, String mediaType, Map<String, String> headers, Content content) implements Response {}

    /**
     * Server-sent events until the source ends, the client disconnects or the server stops.
     *
     * @param tenant whose stream it is
     */
    record Events(TenantId tenant, EventSource source) implements Response {}

    /**
     * A response that becomes a stream if its handler starts one.
     *
     * @param tenant whose stream it is, if it becomes one
     */
    record WholeOrStream(TenantId tenant, LateHandler handler) implements Response {}

    /**
     * Upgrades the connection to a WebSocket.
     *
     * @param tenant whose socket it is
     */
    record Socket(TenantId tenant, Function<SocketPeer, SocketHandler> accept) implements Response {}

    /** Ready-made bytes, such as a page. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Bytes(int status, String mediaType, byte[] body, Map<String, String> headers) implements Response {}

    /** No body. */
    record Empty(int status, Map<String, String> headers) implements Response {}

    /** Writes a streamed body. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /** Produces the response, or starts a stream. */
    @FunctionalInterface
    interface LateHandler {
        /** The response; ignored if a stream was started, which ends when this returns. */
        Response answer(StreamStarter client) throws IOException, InterruptedException;
    }

    /** 200 with JSON. */
    static Response json(Object body) {
        return json(200, body);
    }

    /** JSON with this status. */
    static Response json(int status, Object body) {
        return new Json(status, body, Map.of());
    }

    /** 200 with a streamed body. */
    static Response stream(String mediaType, Content content) {
        return new Stream(200, mediaType, Map.of(), content);
    }

    /** Server-sent events. */
    static Response events(TenantId tenant, EventSource source) {
        return new Events(tenant, source);
    }

    /** 200 with ready-made bytes. */
    static Response bytes(String mediaType, byte[] body) {
        return new Bytes(200, mediaType, body, Map.of());
    }

    /** 204. */
    static Response empty() {
        return new Empty(204, Map.of());
    }
}
