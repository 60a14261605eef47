package dev.toolgate.store.connection;

import dev.toolgate.core.call.Unavailable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Limits how many callers query the database at once, so that many with the same query leave connections to others. */
public final class ConnectionPermits {
    private static final long ONE_WAIT = PoolSettings.WAIT.toNanos();

    private final Semaphore places;
    private final String subject;
    private final LongAdder served = new LongAdder();

    /**
     * @param atOnce how many ask at a time
     * @param subject what is asked for, as messages call it
     */
    public ConnectionPermits(int atOnce, String subject) {
        this.places = new Semaphore(atOnce, true);
        this.subject = subject;
    }

    /**
     * Runs the query with a permit. The query should look first at what another caller has found meanwhile.
     *
     * @throws Unavailable if no permit is released in time
     */
    public <T> T take(Supplier<T> question) {
        await();
        try {
            T answer = question.get();
            served.increment();
            return answer;
        } finally {
            places.release();
        }
    }

    /** Waits for a permit; gives up if no caller was served within one time-out. */
    private void await() {
        long came = System.nanoTime();
        try {
            long before;
            do {
                before = served.sum();
                if (places.tryAcquire(ONE_WAIT, TimeUnit.NANOSECONDS)) {
                    return;
                }
            } while (served.sum() > before && System.nanoTime() - came < PoolSettings.BUSY_WAIT.toNanos());
            throw new Unavailable("Too many " + subject + " are being looked up; try again shortly.", null);
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable(
                    "The call was interrupted while its " + subject + " were looked up.", hostWantsItsThread);
        }
    }
}
