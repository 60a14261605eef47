package dev.toolgate.store.audit.rollup;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the rollup up to date in the background. Every instance has one, and the first to get the lock counts, so that
 * no failover is needed. After a full step it pauses as long as the step took, to leave time for calls.
 */
public final class RollupKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RollupKeeper.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final AuditRollup rollup;
    private final Duration interval;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Starts the background thread.
     *
     * @param interval the pause between steps once everything is counted
     */
    public RollupKeeper(AuditRollup rollup, Duration interval) {
        this.rollup = rollup;
        this.interval = interval;
        thread = Thread.ofPlatform().daemon().name("toolgate-audit-rollup").start(this::run);
    }

    private void run() {
        boolean reported = false;
        try {
            Duration pause = interval;
            while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                long began = System.nanoTime();
                try {
                    boolean more = AuditRollup.isFull(rollup.step());
                    pause = more ? Duration.ofNanos(System.nanoTime() - began) : interval;
                    reported = false;
                } catch (RuntimeException unreachable) {
                    pause = interval;
                    if (!reported) {
                        LOG.warn("Audit rollup: counting failed and is retried: {}", unreachable.toString());
                    }
                    reported = true;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
