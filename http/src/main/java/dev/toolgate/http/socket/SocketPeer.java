package dev.toolgate.http.socket;

import java.io.IOException;

/** The client's end of a WebSocket. */
public interface SocketPeer {

    /** Sends a message and blocks until it is written. */
    void send(String message) throws IOException, InterruptedException;

    /** Sends a ping. */
    void ping();

    /** Closes the socket; a client that does not complete the close is disconnected. */
    void close(CloseReason reason);

    /**
     * Why a socket is closed.
     *
     * @param code as in RFC 6455
     * @param text one sentence, at most 123 bytes
     */
    record CloseReason(int code, String text) {
        /** The server stops. */
        public static final CloseReason STOPPING = new CloseReason(1001, "The server is stopping.");

        /** The client violated a policy. */
        public static CloseReason policy(String text) {
            return new CloseReason(1008, text);
        }
    }
}
