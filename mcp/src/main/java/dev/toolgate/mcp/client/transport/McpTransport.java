package dev.toolgate.mcp.client.transport;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.util.Map;

/** Exchanges messages with one server. Thread-safe. */
public interface McpTransport extends AutoCloseable {
    /** Receives messages that belong to no call, and the end of the connection. */
    interface Listener {
        /** A notification, or a request of the server; must return at once. */
        void received(RpcMessage message);

        /** The connection has ended; no further call will be answered. */
        void ended(McpFailure why);

        /** The server no longer knows the session, though no call has met that yet; must return at once. */
        void sessionLost();
    }

    /** Sets the listener for messages outside calls; once, before anything is sent. */
    void listener(Listener listener);

    /**
     * Sends a request and waits for its answer on the calling thread. An accepted {@code initialize} replaces the
     * session.
     *
     * @throws McpFailure if there is none; {@link ClientCall#ended()} takes precedence over any other failure
     */
    RpcMessage.Response exchange(ClientCall call) throws McpFailure;

    /** Sends a notification or the answer to a request of the server. */
    void send(RpcMessage message, Map<String, String> headers) throws McpFailure;

    /** Starts to listen for messages outside calls where the transport has a separate channel for them. */
    void listen(Map<String, String> headers);

    /**
     * Whether every request has a stream and headers of its own, as over HTTP, so that closing the stream cancels it
     * and
     * arguments are mirrored to headers.
     */
    boolean hasStreamPerRequest();

    /** Closes the connection gracefully, within a bounded time. Calls in progress fail; they may have run. */
    @Override
    void close();
}
