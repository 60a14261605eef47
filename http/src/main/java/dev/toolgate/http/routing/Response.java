package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.events.EventSource;
import dev.toolgate.http.socket.SocketHandler;
import dev.toolgate.http.socket.SocketPeer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.function.Function;

/** What a handler answers. */
public sealed interface Response {

    /**
     * JSON.
     *
     * @param body a tree, or a value whose record components are written in snake case
     */
    record Json(int status, Object body, Map<String, String> headers) implements Response {}

    /**
     * Something long, written as it is made; an error in the middle ends the connection, so that a client can tell the
     * answer is not whole.
     */
    record Stream(int status, String mediaType, Map<String, String> headers, Content content) implements Response {}

    /**
     * Server-sent events, until there are no more, the client goes away or the server stops.
     *
     * @param tenant whose stream it is
     */
    record Events(TenantId tenant, EventSource source) implements Response {}

    /**
     * The connection becomes a socket, over which both sides send whenever they like.
     *
     * @param tenant whose socket it is
     */
    record Socket(TenantId tenant, Function<SocketPeer, SocketHandler> accept) implements Response {}

    /** Something ready-made, such as a page. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Bytes(int status, String mediaType, byte[] body, Map<String, String> headers) implements Response {}

    /** Nothing but a status. */
    record Empty(int status, Map<String, String> headers) implements Response {}

    /** Writes the content of a long answer. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /** 200 with JSON. */
    static Response json(Object body) {
        return json(200, body);
    }

    /** JSON with this status. */
    static Response json(int status, Object body) {
        return new Json(status, body, Map.of());
    }

    /** 200, written as it is made. */
    static Response stream(String mediaType, Content content) {
        return new Stream(200, mediaType, Map.of(), content);
    }

    /** Server-sent events. */
    static Response events(TenantId tenant, EventSource source) {
        return new Events(tenant, source);
    }

    /** 200 with something ready-made. */
    static Response bytes(String mediaType, byte[] body) {
        return new Bytes(200, mediaType, body, Map.of());
    }

    /** 204. */
    static Response empty() {
        return new Empty(204, Map.of());
    }
}
