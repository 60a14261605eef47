package dev.toolgate.http.socket;

import java.io.IOException;

/** The client's end of one open socket. */
public interface SocketPeer {

    /** Sends a message, and returns once the network has taken it. */
    void send(String message) throws IOException, InterruptedException;

    /** Shows that this side is alive, and lets the other show it too. */
    void ping();

    /** Closes the socket for a reason; one that does not take even that is cut off. */
    void close(CloseReason reason);

    /**
     * Why a socket is closed.
     *
     * @param code of RFC 6455
     * @param text one sentence, at most 123 bytes
     */
    record CloseReason(int code, String text) {
        /** The server goes away. */
        public static final CloseReason STOPPING = new CloseReason(1001, "The server is stopping.");

        /** The client has broken a rule. */
        public static CloseReason policy(String text) {
            return new CloseReason(1008, text);
        }
    }
}
