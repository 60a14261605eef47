package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The body of a response. Reading it to the end releases the connection to the pool; closing it earlier closes the
 * connection.
 */
final class ConnectionBody extends InputStream {
    private static final int MAX_LINE = 4 << 10;
    private static final int MAX_TRAILERS = 50;
    private static final long UNTIL_CLOSE = -1;

    private enum State {
        OPEN,
        READ,
        CLOSED
    }

    private final PooledConnection connection;
    private final Runnable done;
    private final boolean chunked;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private long left;
    private boolean beforeFirstChunk = true;

    /**
     * @param done runs once the body has been read and the connection can be used again
     */
    ConnectionBody(PooledConnection connection, ResponseHead.Length length, Runnable done) {
        this.connection = connection;
        this.done = done;
        switch (length) {
            case ResponseHead.Fixed fixed -> {
                this.chunked = false;
                this.left = fixed.bytes();
            }
            case ResponseHead.Chunked _ -> {
                this.chunked = true;
                this.left = 0;
            }
            case ResponseHead.UntilClose _ -> {
                this.chunked = false;
                this.left = UNTIL_CLOSE;
            }
        }
        if (!chunked && left == 0) {
            finish();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        switch (state.get()) {
            case OPEN -> {}
            case READ -> {
                return -1;
            }
            case CLOSED -> throw new IOException("The response was closed before its end.");
        }
        if (chunked && left == 0 && !nextChunk()) {
            return -1;
        }
        int wanted = left == UNTIL_CLOSE ? length : (int) Math.min(length, left);
        int read = connection.read(target, offset, wanted);
        if (read < 0) {
            connection.close();
            if (left != UNTIL_CLOSE) {
                throw new IOException("The server closed the connection in the middle of its answer.");
            }
            if (!state.compareAndSet(State.OPEN, State.READ)) {
                throw new IOException("The response was closed before its end.");
            }
            return -1;
        }
        if (left != UNTIL_CLOSE) {
            left -= read;
            if (left == 0 && !chunked) {
                finish();
            }
        }
        return read;
    }

    private boolean nextChunk() throws IOException {
        if (!beforeFirstChunk && !connection.line(MAX_LINE).isEmpty()) {
            throw malformed();
        }
        beforeFirstChunk = false;
        String line = connection.line(MAX_LINE);
        int semicolon = line.indexOf(';');
        String size = (semicolon < 0 ? line : line.substring(0, semicolon)).strip();
        if (!size.matches("[0-9a-fA-F]{1,12}")) {
            throw malformed();
        }
        left = Long.parseLong(size, 16);
        if (left > 0) {
            return true;
        }
        for (int trailers = 0; !connection.line(MAX_LINE).isEmpty(); trailers++) {
            if (trailers == MAX_TRAILERS) {
                throw malformed();
            }
        }
        finish();
        return false;
    }

    private IOException malformed() {
        connection.close();
        return new IOException("The chunks of the answer are malformed.");
    }

    private void finish() {
        if (state.compareAndSet(State.OPEN, State.READ)) {
            done.run();
        }
    }

    @Override
    public void close() {
        if (state.compareAndSet(State.OPEN, State.CLOSED)) {
            connection.close();
        }
    }
}
