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

/** One client that sends its next request when the last is answered. Looks at no more of an answer than it must. */
final class Connection implements AutoCloseable {
    private static final byte[] GOOD = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "\nContent-Length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_ANSWER = 16 << 10;

    private final SocketChannel channel;
    private final RequestBytes request;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(LARGEST_ANSWER);
    private final byte[] bytes = new byte[LARGEST_ANSWER];
    private long sentAt;

    Connection(int port, RequestBytes request, Selector selector) throws IOException {
        this.request = request;
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    void send() throws IOException {
        answer.clear();
        ByteBuffer next = request.next();
        sentAt = System.nanoTime();
        while (next.hasRemaining()) {
            channel.write(next);
        }
    }

    /** Reads what has come; the nanoseconds from the request on if that was the end of the answer, else -1. */
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
            throw new IOException("Not answered well: " + new String(bytes, 0, size, StandardCharsets.UTF_8));
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
