package dev.toolgate.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A client that sends its next request when the last one is answered. Parses only the necessary parts of a response.
 */
final class Connection implements AutoCloseable {
    private static final byte[] GOOD = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "\nContent-Length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_RESPONSE = 16 << 10;

    private final SocketChannel channel;
    private final RequestSequence requests;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(MAX_RESPONSE);
    private final byte[] bytes = new byte[MAX_RESPONSE];
    private long sentAt;

    Connection(int port, RequestSequence requests, Selector selector) throws IOException {
        this.requests = requests;
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    void send() throws IOException {
        answer.clear();
        ByteBuffer next = requests.next();
        sentAt = System.nanoTime();
        while (next.hasRemaining()) {
            channel.write(next);
        }
    }

    /** Reads available bytes; returns the nanoseconds since the request if the response is complete, else -1. */
    long receive() throws IOException {
        int before = answer.position();
        if (channel.read(answer) < 0) {
            throw new EOFException("The server closed a connection.");
        }
        int size = answer.position();
        answer.get(before, bytes, before, size - before);
        return isWhole(size) ? System.nanoTime() - sentAt : -1;
    }

    private boolean isWhole(int size) throws IOException {
        int body = find(END, size) + END.length;
        if (body < END.length) {
            return false;
        }
        int digit = find(LENGTH, size) + LENGTH.length;
        int length = 0;
        for (; bytes[digit] >= '0'; digit++) {
            length = 10 * length + bytes[digit] - '0';
        }
        if (size < body + length) {
            return false;
        }
        if (find(GOOD, size) != 0) {
            throw new IOException("Unexpected response: " + new String(bytes, 0, size, StandardCharsets.UTF_8));
        }
        return true;
    }

    private int find(byte[] wanted, int size) {
        search:
        for (int start = 0; start <= size - wanted.length; start++) {
            for (int i = 0; i < wanted.length; i++) {
                if (bytes[start + i] != wanted[i]) {
                    continue search;
                }
            }
            return start;
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
