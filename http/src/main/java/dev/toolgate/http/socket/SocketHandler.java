package dev.toolgate.http.socket;

/** Our end of one open socket. Called by one thread at a time, which may block: the client is not read meanwhile. */
public interface SocketHandler {

    /** Takes a message. What it throws ends the socket, and is logged. */
    void received(String message);

    /** The server stops: end what is under way, then close the socket. */
    void stopping();

    /** The socket is closed, by whichever side; said once. */
    void closed();
}
