package dev.toolgate.store.connection;

import dev.toolgate.core.call.Unavailable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Limits how many callers query the database at once, so that one kind of query does not take all connections. */
public final class ConnectionPermits {
    private static final long ACQUIRE_TIMEOUT = PoolSettings.ACQUIRE_TIMEOUT.toNanos();

    private final Semaphore permits;
    private final String subject;
    private final LongAdder served = new LongAdder();

    /**
     * @param maxConcurrent the number of permits
     * @param subject what is queried, for messages
     */
    public ConnectionPermits(int maxConcurrent, String subject) {
        this.permits = new Semaphore(maxConcurrent, true);
        this.subject = subject;
    }

    /**
     * Runs the query with a permit. The query should first check whether another caller has already loaded the result.
     *
     * @throws Unavailable if no permit is released in time
     */
    public <T> T withPermit(Supplier<T> query) {
        await();
        try {
            T answer = query.get();
            served.increment();
            return answer;
        } finally {
            permits.release();
        }
    }

    /** Waits for a permit; gives up if no caller was served within one timeout. */
    private void await() {
        long start = System.nanoTime();
        try {
            long before;
            do {
                before = served.sum();
                if (permits.tryAcquire(ACQUIRE_TIMEOUT, TimeUnit.NANOSECONDS)) {
                    return;
                }
            } while (served.sum() > before && System.nanoTime() - start < PoolSettings.MAX_BUSY_WAIT.toNanos());
            throw new Unavailable("Too many " + subject + " are being looked up; try again shortly.", null);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while its " + subject + " were looked up.", interrupted);
        }
    }
}
