package dev.toolgate.server.upstream;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes connections at the same time, so that a server that does not answer delays only its own. */
final class ParallelClose {
    private static final Logger LOG = LoggerFactory.getLogger(ParallelClose.class);

    /** How long all of them together may take. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_AT_ONCE = 100;

    private ParallelClose() {}

    /**
     * Runs all of these, each on a thread of its own.
     *
     * @return how many did not end in time; they go on in the background
     */
    static long run(List<Runnable> closings, Duration timeout) {
        CountDownLatch left = new CountDownLatch(closings.size());
        Semaphore permits = new Semaphore(MAX_AT_ONCE);
        closings.forEach(closing -> Thread.ofVirtual().name("toolgate-mcp-end").start(() -> {
            permits.acquireUninterruptibly();
            try {
                closing.run();
            } catch (RuntimeException failed) {
                LOG.warn("A connection to an MCP server was not closed cleanly", failed);
            } finally {
                permits.release();
                left.countDown();
            }
        }));
        try {
            var _ = left.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return left.getCount();
    }
}
