package dev.toolgate.http.request;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** The body of a request, read at once or streamed, with a size limit and a minimum rate. */
public final class Body {
    private static final int FIRST_BUFFER = 8 << 10;
    private static final int MAX_KNOWN_REST = 1 << 20;
    private static final long MAX_REST = 64L << 20;

    /** Time spent waiting for the client; our own processing time does not count. */
    static final class Waiting {
        private long nanos;
    }

    private final Request request;
    private final Pace pace;
    private boolean ended;
    private boolean failed;

    public Body(Request request, Pace pace) {
        this.request = request;
        this.pace = pace;
        this.ended = request.getLength() == 0;
    }

    public boolean isPresent() {
        return request.getLength() != 0;
    }

    /** Reads the whole body up to a limit. */
    public ByteBuffer read(int limit) {
        long announced = request.getLength();
        if (announced > limit) {
            throw tooLarge(limit);
        }
        // Allocates by what has arrived, not by what was announced.
        byte[] bytes = new byte[announced < 0 ? FIRST_BUFFER : (int) Math.min(announced, 8 * FIRST_BUFFER)];
        int size = 0;
        Waiting waiting = new Waiting();
        while (!ended) {
            Content.Chunk chunk = next(waiting, size);
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

    /** Discards what has arrived and returns whether the body is consumed; does not wait for a large rest. */
    public boolean isConsumed() {
        long size = 0;
        while (!ended && !failed && size <= MAX_KNOWN_REST) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                return false;
            }
            seen(chunk);
            size += chunk.remaining();
            chunk.release();
        }
        return ended;
    }

    /** Whether the connection can be reused after discarding the rest. */
    public boolean leavesConnectionUsable() {
        return !failed && request.getLength() >= 0 && request.getLength() <= MAX_KNOWN_REST;
    }

    /**
     * Reads and discards the rest, so that a client that is still sending can read the response, which closing the
     * connection would prevent.
     */
    public void discardRest() {
        if (failed || request.getHeaders().contains(HttpHeader.EXPECT)) {
            return;
        }
        Waiting waiting = new Waiting();
        long size = 0;
        while (!ended && size < MAX_REST) {
            Content.Chunk chunk = next(waiting, size);
            size += chunk.remaining();
            chunk.release();
        }
    }

    /** The announced length; negative if unknown. */
    public long announced() {
        return request.getLength();
    }

    /** The body as a stream. */
    public InputStream stream() {
        return new BodyStream(this);
    }

    boolean hasEnded() {
        return ended;
    }

    Content.Chunk next(Waiting waiting, long size) {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk != null) {
                seen(chunk);
                if (failed) {
                    throw broken(chunk.getFailure());
                }
                return chunk;
            }
            await(waiting, size);
        }
    }

    private void seen(Content.Chunk chunk) {
        failed |= Content.Chunk.isFailure(chunk);
        ended |= chunk.isLast() && !failed;
    }

    private void await(Waiting waiting, long size) {
        CountDownLatch arrived = new CountDownLatch(1);
        request.demand(arrived::countDown);
        long start = System.nanoTime();
        try {
            boolean came = arrived.await(pace.nanosFor(size) - waiting.nanos, TimeUnit.NANOSECONDS);
            waiting.nanos += System.nanoTime() - start;
            if (!came) {
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
                413, ErrorCode.INVALID_REQUEST, "The body is larger than " + limit + " bytes, the limit here.");
    }

    private static HttpFailure tooSlow() {
        return new HttpFailure(408, ErrorCode.INVALID_REQUEST, "The body did not arrive in time.");
    }

    private static HttpFailure broken(Throwable failure) {
        return failure instanceof TimeoutException
                ? tooSlow()
                : new BadRequest("The body ended early or its framing is invalid.");
    }
}
