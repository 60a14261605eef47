package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Opens connections; an implementation can resolve a name once and refuse addresses. */
@FunctionalInterface
public interface SocketConnector {
    /** Connects to any address the name resolves to. */
    SocketConnector ANY = (host, port, timeout) -> {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
            return socket;
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    };

    /**
     * Opens a connection.
     *
     * @throws IOException if it cannot be opened or the address is not allowed
     */
    Socket connect(String host, int port, Duration timeout) throws IOException;
}
