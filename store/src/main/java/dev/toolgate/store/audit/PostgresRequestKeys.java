package dev.toolgate.store.audit;

import dev.toolgate.core.port.RequestKey;
import dev.toolgate.core.port.RequestKeys;
import dev.toolgate.core.port.Unavailable;
import dev.toolgate.store.Sessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks request ids up in PostgreSQL. Whoever asks while others are being answered shares the next
 * question, so a hundred callers cost one round trip.
 */
public final class PostgresRequestKeys implements RequestKeys, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresRequestKeys.class);
    private static final int CAPACITY = 8192;
    private static final int MOST_QUESTIONS = 256;
    private static final long NAP_MS = 100;
    /** From one question to the next, so that a crowd shares few large ones; who comes alone never waits for it. */
    private static final Duration PACE = Duration.ofNanos(400_000);

    private final BlockingQueue<Question> questions = new ArrayBlockingQueue<>(CAPACITY);
    private final Duration patience;
    private final Thread thread;
    private final Watch watch;
    private volatile List<Question> asking = List.of();
    private volatile boolean closed;
    private volatile boolean ended;

    /**
     * @param sessions one connection is kept for good
     * @param patience how long a caller waits for the answer
     */
    public PostgresRequestKeys(Sessions sessions, Duration patience) {
        this.patience = patience;
        // One, since two would share the same callers between smaller questions, which cost more.
        RequestKeyReader reader = new RequestKeyReader(sessions);
        this.watch = new Watch(this::endWaits);
        this.thread = Thread.ofPlatform().daemon().name("toolgate-request-keys").start(() -> run(reader));
    }

    private void endWaits(long now) {
        questions.forEach(question -> question.endWait(now));
        asking.forEach(question -> question.endWait(now));
    }

    @Override
    public Earlier find(RequestKey key) {
        Question question = new Question(key, patience);
        if (closed || !questions.offer(question)) {
            throw new Unavailable(closed ? "The server is stopping." : "Too many calls wait to be looked up.", null);
        }
        if (ended) {
            refuseRest();
        }
        return question.await();
    }

    private void run(RequestKeyReader reader) {
        try (reader;
                watch) {
            answerUntilClosed(reader);
        } finally {
            ended = true; // whoever comes later sees this, and whoever came earlier is in the queue
            refuseRest();
        }
    }

    private void refuseRest() {
        questions.forEach(late -> late.failed(new IllegalStateException("The server is stopping.")));
    }

    private void answerUntilClosed(RequestKeyReader reader) {
        long lastAsked = System.nanoTime() - PACE.toNanos();
        while (!closed || !questions.isEmpty()) {
            List<Question> gathered = new ArrayList<>();
            try {
                Question first = questions.poll(NAP_MS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    gathered.add(first);
                    LockSupport.parkNanos(lastAsked + PACE.toNanos() - System.nanoTime());
                    lastAsked = System.nanoTime();
                    questions.drainTo(gathered, MOST_QUESTIONS - 1);
                    asking = gathered; // and nobody changes it any more
                    reader.answer(gathered);
                }
            } catch (Throwable failed) { // the reader must not die, and nobody may wait in vain
                LOG.debug("Request ids could not be looked up", failed);
                gathered.forEach(question -> question.failed(failed));
            }
            asking = List.of();
        }
    }

    /** Answers those who wait, and ends. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(patience.plusSeconds(1));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
