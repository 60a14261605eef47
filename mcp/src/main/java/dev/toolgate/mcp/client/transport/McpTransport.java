package dev.toolgate.mcp.client.transport;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.util.Map;

/** Carries messages to one server and back. Any number of threads use it at a time. */
public interface McpTransport extends AutoCloseable {
    /** Hears of messages that belong to no call, and of the end of the connection. */
    interface Listener {
        /** A notification, or a request of the server; must return at once. */
        void received(RpcMessage message);

        /** The connection has ended and no call will be answered any more. */
        void ended(McpFailure why);
    }

    /** Sets who hears of messages outside calls; once, before anything is sent. */
    void listener(Listener listener);

    /**
     * Sends a request and waits for its answer on the calling thread.
     *
     * @throws McpFailure if there is none; {@link ClientCall#ended()} wins over every other reason
     */
    RpcMessage.Response exchange(ClientCall call) throws McpFailure;

    /** Sends a notification or the answer to a request of the server. */
    void send(RpcMessage message, Map<String, String> headers) throws McpFailure;

    /** Starts to listen for messages outside calls where the transport has a channel of its own for them. */
    void listen(Map<String, String> headers);

    /** Forgets the session, so that the next request starts a new one. */
    void forgetSession();

    /**
     * Whether every request has a stream and headers of its own, as over HTTP, so that closing the stream cancels it and
     * arguments are mirrored to headers.
     */
    boolean hasStreamPerRequest();

    /** Ends the connection in good order, within a bounded time. */
    @Override
    void close();
}
