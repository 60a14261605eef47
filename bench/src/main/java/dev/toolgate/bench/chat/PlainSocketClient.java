package dev.toolgate.bench.chat;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A WebSocket client on a blocking socket, read by the measuring thread, so that a message is seen as early as possible
 * after the server's write.
 */
final class PlainSocketClient implements SocketClient {
    private static final int TEXT = 0x81;
    private static final int MASKED = 0x80;
    private static final int LENGTH_IN_TWO_BYTES = 126;

    private final Socket socket;
    private final DataInputStream in;

    private PlainSocketClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    static PlainSocketClient connect(int port, String key) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        String head = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer "
                + key + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        PlainSocketClient end = new PlainSocketClient(socket);
        end.skipHead();
        return end;
    }

    private void skipHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException("No WebSocket: " + head);
        }
    }

    @Override
    public void send(String message) throws IOException {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(text.length + 8).put((byte) TEXT);
        frame.put((byte) (MASKED | LENGTH_IN_TWO_BYTES)).putShort((short) text.length);
        frame.putInt(0); // a zero mask
        socket.getOutputStream().write(frame.put(text).array());
    }

    @Override
    public Seen next() throws IOException {
        while (true) {
            int kind = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            byte[] payload = new byte[length < LENGTH_IN_TWO_BYTES ? length : in.readUnsignedShort()];
            in.readFully(payload);
            long now = System.nanoTime();
            if (kind == TEXT) {
                return new Seen(now, new String(payload, StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
