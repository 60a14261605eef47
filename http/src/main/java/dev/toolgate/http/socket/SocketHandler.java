package dev.toolgate.http.socket;

/**
 * The server's end of a WebSocket. Called by one thread at a time, which may block; nothing is read from the client
 * until it returns.
 */
public interface SocketHandler {

    /** Handles a message. An exception closes the socket and is logged. */
    void received(String message);

    /** The server stops: finish work in progress, then close the socket. */
    void stopping();

    /** The socket was closed, by either side; called once. */
    void closed();
}
