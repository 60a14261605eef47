package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Opens connections; the place to look a name up once and to refuse addresses. */
@FunctionalInterface
public interface SocketConnector {
    /** Connects to whatever the name resolves to. */
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
     * @throws IOException if it cannot be made or must not be
     */
    Socket connect(String host, int port, Duration timeout) throws IOException;
}
