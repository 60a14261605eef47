package dev.toolgate.server.http;

import dev.toolgate.core.call.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** The body of a request, read whole, up to a limit and no slower than agreed. */
final class Body {
    private static final int FIRST_BUFFER = 8 << 10;
    private static final int LARGEST_KNOWN_REST = 1 << 20;
    private static final long LARGEST_REST = 64L << 20;

    private final Request request;
    private final Pace pace;
    private boolean ended;
    private boolean failed;

    Body(Request request, Pace pace) {
        this.request = request;
        this.pace = pace;
        this.ended = request.getLength() == 0;
    }

    boolean isPresent() {
        return request.getLength() != 0;
    }

    /** All of it, if it has no more bytes than this. */
    ByteBuffer read(int limit) {
        long announced = request.getLength();
        if (announced > limit) {
            throw tooLarge(limit);
        }
        // Memory follows what has arrived, not what was announced.
        byte[] bytes = new byte[announced < 0 ? FIRST_BUFFER : (int) Math.min(announced, 8 * FIRST_BUFFER)];
        int size = 0;
        long start = System.nanoTime();
        while (!ended) {
            Content.Chunk chunk = next(start, size);
            try {
                int more = chunk.remaining();
                if (more > limit - size) {
                    throw tooLarge(limit);
                }
                if (more > bytes.length - size) {
                    bytes = Arrays.copyOf(bytes, Math.max(size + more, Math.min(limit, 2 * bytes.length)));
                }
                chunk.get(bytes, size, more);
                size += more;
            } finally {
                chunk.release();
            }
        }
        return ByteBuffer.wrap(bytes, 0, size);
    }

    /** Whether nothing of it is left to be sent. */
    boolean isConsumed() {
        while (!ended && !failed) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                return false;
            }
            seen(chunk);
            chunk.release();
        }
        return ended;
    }

    /** Whether the connection can be used again after the rest has been thrown away. */
    boolean leavesConnectionUsable() {
        return !failed && request.getLength() >= 0 && request.getLength() <= LARGEST_KNOWN_REST;
    }

    /**
     * Reads the rest and throws it away, so that a caller who is still sending gets to read the answer, which a closed
     * connection would take from him.
     */
    void discardRest() {
        if (failed || request.getHeaders().contains(HttpHeader.EXPECT)) {
            return;
        }
        long start = System.nanoTime();
        long size = 0;
        while (!ended && size < LARGEST_REST) {
            Content.Chunk chunk = next(start, size);
            size += chunk.remaining();
            chunk.release();
        }
    }

    private Content.Chunk next(long start, long size) {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk != null) {
                seen(chunk);
                if (failed) {
                    throw broken(chunk.getFailure());
                }
                return chunk;
            }
            await(start, size);
        }
    }

    private void seen(Content.Chunk chunk) {
        failed |= Content.Chunk.isFailure(chunk);
        ended |= chunk.isLast() && !failed;
    }

    private void await(long start, long size) {
        CountDownLatch arrived = new CountDownLatch(1);
        request.demand(arrived::countDown);
        try {
            long left = pace.nanosFor(size) - (System.nanoTime() - start);
            if (!arrived.await(left, TimeUnit.NANOSECONDS)) {
                failed = true;
                throw tooSlow();
            }
        } catch (InterruptedException stopping) {
            failed = true;
            Thread.currentThread().interrupt();
            throw HttpFailure.unavailable("The server is stopping.");
        }
    }

    private static HttpFailure tooLarge(int limit) {
        return new HttpFailure(
                413, ErrorCode.INVALID_REQUEST, "The body is larger than " + limit + " bytes, the most taken here.");
    }

    private static HttpFailure tooSlow() {
        return new HttpFailure(408, ErrorCode.INVALID_REQUEST, "The body did not arrive in time.");
    }

    private static HttpFailure broken(Throwable failure) {
        return failure instanceof TimeoutException
                ? tooSlow()
                : new BadRequest("The body ended early or was not framed as HTTP asks.");
    }
}
