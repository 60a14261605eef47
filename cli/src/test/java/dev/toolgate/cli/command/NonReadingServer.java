package dev.toolgate.cli.command;

import dev.toolgate.cli.client.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Opens a WebSocket and never reads from it. */
public final class NonReadingServer implements AutoCloseable {
    private static final String KEY = "sec-websocket-key:";
    private static final String SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket listener = new ServerSocket();
    private volatile @Nullable Socket connection;

    public NonReadingServer() throws IOException {
        listener.setReceiveBufferSize(4096);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::handshake);
    }

    public ServerAddress address() {
        return ServerAddress.of("http://127.0.0.1:" + listener.getLocalPort());
    }

    private void handshake() {
        try {
            Socket socket = listener.accept();
            connection = socket;
            BufferedReader request =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String key = "";
            for (String line = request.readLine(); line != null && !line.isEmpty(); line = request.readLine()) {
                if (line.regionMatches(true, 0, KEY, 0, KEY.length())) {
                    key = line.substring(KEY.length()).strip();
                }
            }
            byte[] accepted =
                    MessageDigest.getInstance("SHA-1").digest((key + SUFFIX).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream()
                    .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    + "Sec-WebSocket-Accept: "
                                    + Base64.getEncoder().encodeToString(accepted) + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | GeneralSecurityException gone) {
            // the client notices the closed connection
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        Socket socket = connection;
        if (socket != null) {
            socket.close();
        }
    }
}
