package dev.toolgate.server.chat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** A WebSocket client that sends and never reads. */
final class NonReadingClient implements AutoCloseable {
    private static final int TEXT = 0x81;
    private static final int MASKED_WITH_SHORT_LENGTH = 0x80 | 126;

    private final Socket socket;

    NonReadingClient(URI server, String key) throws IOException {
        socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(String.join(
                                "\r\n",
                                "GET /ws HTTP/1.1",
                                "Host: " + server.getAuthority(),
                                "Connection: Upgrade",
                                "Upgrade: websocket",
                                "Sec-WebSocket-Version: 13",
                                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                                "Authorization: Bearer " + key,
                                "",
                                "")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    void send(ObjectNode payload) throws IOException {
        byte[] text = ("{\"type\": \"chat:send\", \"payload\": " + payload + "}").getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(8 + text.length);
        frame.put((byte) TEXT)
                .put((byte) MASKED_WITH_SHORT_LENGTH)
                .putShort((short) text.length)
                .putInt(0);
        socket.getOutputStream().write(frame.put(text).array()); // an all-zero mask is valid
    }

    /** Reads to the end; true if the server has closed the connection. */
    boolean readsToTheEnd() throws IOException {
        InputStream in = socket.getInputStream();
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException cutOff) {
            return true;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
