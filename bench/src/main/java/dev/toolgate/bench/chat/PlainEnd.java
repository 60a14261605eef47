package dev.toolgate.bench.chat;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A WebSocket on a plain blocking socket, read by the thread that asks: a message is seen as soon as the system
 * hands it out, which is the nearest to the server's write that another thread can be.
 */
final class PlainEnd implements ClientEnd {
    private static final int TEXT = 0x81;
    private static final int MASKED = 0x80;
    private static final int LENGTH_IN_TWO_BYTES = 126;

    private final Socket socket;
    private final DataInputStream in;

    private PlainEnd(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    static PlainEnd connect(int port, String key) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        String head = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer "
                + key + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        PlainEnd end = new PlainEnd(socket);
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
        frame.putInt(0); // a mask that changes nothing
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
