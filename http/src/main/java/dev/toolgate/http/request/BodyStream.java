package dev.toolgate.http.request;

import java.io.InputStream;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Streams a body; problems are thrown as the {@code HttpFailure} to respond with. */
final class BodyStream extends InputStream {
    private final Body body;
    private final Body.Waiting waiting = new Body.Waiting();
    private Content.@Nullable Chunk current;
    private long seen;

    BodyStream(Body body) {
        this.body = body;
    }

    @Override
    public int read() {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        Content.Chunk chunk = arrived();
        if (chunk == null) {
            return -1;
        }
        int read = chunk.get(into, offset, length);
        if (!chunk.hasRemaining()) {
            releaseChunk();
        }
        return read;
    }

    private Content.@Nullable Chunk arrived() {
        while (current == null && !body.hasEnded()) {
            current = body.next(waiting, seen);
            seen += current.remaining();
            if (!current.hasRemaining()) {
                releaseChunk();
            }
        }
        return current;
    }

    private void releaseChunk() {
        if (current != null) {
            current.release();
            current = null;
        }
    }

    /** Releases the unread chunk. */
    @Override
    public void close() {
        releaseChunk();
    }
}
