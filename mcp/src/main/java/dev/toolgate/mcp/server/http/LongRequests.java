package dev.toolgate.mcp.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The running requests; those that take long get a stream, which is kept alive. */
final class LongRequests implements AutoCloseable {
    private static final long STEPS_PER_INTERVAL = 4;

    private final StreamSettings settings;
    private final Set<HttpReplyStream> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private @Nullable Thread ticker;

    LongRequests(StreamSettings settings) {
        this.settings = settings;
    }

    void start() {
        ticker = Thread.ofVirtual().name("mcp-long-requests").start(this::run);
    }

    void add(HttpReplyStream stream) {
        running.add(stream);
    }

    void remove(HttpReplyStream stream) {
        running.remove(stream);
    }

    private void run() {
        long shortest =
                Math.min(settings.keepAlive().toNanos(), settings.openAfter().toNanos());
        while (!closed) {
            LockSupport.parkNanos(Math.max(1_000_000, shortest / STEPS_PER_INTERVAL));
            running.forEach(stream -> stream.tick(settings));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(ticker);
    }
}
