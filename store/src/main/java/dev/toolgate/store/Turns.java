package dev.toolgate.store;

import dev.toolgate.core.port.Unavailable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Lets a few at a time ask the database, so that a crowd with the same question leaves connections to others. */
public final class Turns {
    private final Semaphore places;
    private final String subject;

    /**
     * @param atOnce how many ask at a time
     * @param subject what is asked for, as messages call it
     */
    public Turns(int atOnce, String subject) {
        this.places = new Semaphore(atOnce, true);
        this.subject = subject;
    }

    /**
     * Asks when its turn comes; what another has found meanwhile is for the question to look at first.
     *
     * @throws Unavailable if the turn does not come in time
     */
    public <T> T take(Supplier<T> question) {
        await();
        try {
            return question.get();
        } finally {
            places.release();
        }
    }

    private void await() {
        try {
            if (!places.tryAcquire(PoolSettings.BUSY_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new Unavailable("Too many " + subject + " are being looked up; try again shortly.", null);
            }
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable(
                    "The call was interrupted while its " + subject + " were looked up.", hostWantsItsThread);
        }
    }
}
