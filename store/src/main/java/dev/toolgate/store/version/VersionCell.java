package dev.toolgate.store.version;

import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What is known about the version of one tenant, and since when. */
final class VersionCell {
    private static final long MAX_AGE = Duration.ofMillis(500).toNanos();
    private static final long PATIENCE = Duration.ofMillis(1500).toNanos();
    private static final long REST_AFTER_FAILURE = Duration.ofMillis(100).toNanos();

    private final String subject;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Seen seen;
    private volatile @Nullable Long failedAt;
    private volatile long changedAt = System.nanoTime();

    /**
     * @param subject what has the version, as messages call it
     */
    VersionCell(String subject) {
        this.subject = subject;
    }

    /** Asks the database. */
    interface Question {
        long ask();
    }

    /**
     * The version, not older than half a second and not older than the last change heard of. One
     * caller asks for all; whoever cannot learn it in time gets an error, never an old answer.
     */
    long current(Question question) {
        Seen last = seen;
        return last != null && isFresh(last) ? last.version() : ask(question);
    }

    /** There has been a change, so what is known does not count any more. */
    void changed() {
        changedAt = System.nanoTime();
    }

    /**
     * Takes over an answer of the database.
     *
     * @param askedAt when the question was put, by {@link System#nanoTime()}
     */
    synchronized void saw(long version, long askedAt) {
        Seen last = seen;
        if (last == null || askedAt - last.askedAt() > 0) {
            seen = new Seen(version, askedAt);
        }
    }

    private boolean isFresh(Seen last) {
        return last.askedAt() - changedAt > 0 && System.nanoTime() - last.askedAt() < MAX_AGE;
    }

    private long ask(Question question) {
        long came = System.nanoTime();
        if (!hasLock()) {
            Seen last = seen;
            if (last != null && isFresh(last)) {
                return last.version(); // somebody has asked, there were only many before us
            }
            throw new Unavailable("The " + subject + " could not be checked in time; try again shortly.", null);
        }
        try {
            Seen last = seen;
            if (last != null && isFresh(last)) {
                return last.version();
            }
            Long failure = failedAt;
            // Whoever waited while another asked in vain takes that for an answer, or they would wait one by one.
            if (failure != null && (failure - came > 0 || System.nanoTime() - failure < REST_AFTER_FAILURE)) {
                throw new Unavailable(
                        "The " + subject + " could not be checked a moment ago; try again shortly.", null);
            }
            return askNow(question);
        } finally {
            asking.unlock();
        }
    }

    private long askNow(Question question) {
        long askedAt = System.nanoTime();
        try {
            long version = question.ask();
            saw(version, askedAt);
            failedAt = null;
            return version;
        } catch (RuntimeException unanswered) {
            failedAt = System.nanoTime();
            throw unanswered;
        }
    }

    private boolean hasLock() {
        try {
            return asking.tryLock(PATIENCE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable(
                    "The call was interrupted while the " + subject + " were checked.", hostWantsItsThread);
        }
    }

    private record Seen(long version, long askedAt) {}
}
