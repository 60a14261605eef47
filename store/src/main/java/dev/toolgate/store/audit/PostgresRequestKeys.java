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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks request ids up in PostgreSQL. Whoever asks while others are being answered shares the next
 * question, so a hundred callers cost one round trip.
 */
public final class PostgresRequestKeys implements RequestKeys, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresRequestKeys.class);
    private static final int READERS = 2;
    private static final int CAPACITY = 8192;
    private static final int MOST_QUESTIONS = 256;
    private static final long NAP_MS = 100;

    private final BlockingQueue<Question> questions = new ArrayBlockingQueue<>(CAPACITY);
    private final Duration patience;
    private final List<Thread> readers = new ArrayList<>();
    private volatile boolean closed;

    /**
     * @param sessions two connections are kept for good
     * @param patience how long a caller waits for the answer
     */
    public PostgresRequestKeys(Sessions sessions, Duration patience) {
        this.patience = patience;
        for (int i = 1; i <= READERS; i++) {
            RequestKeyReader reader = new RequestKeyReader(sessions);
            readers.add(Thread.ofPlatform()
                    .daemon()
                    .name("toolgate-request-keys-" + i)
                    .start(() -> run(reader)));
        }
    }

    @Override
    public Earlier find(RequestKey key) {
        Question question = new Question(key);
        if (closed || !questions.offer(question)) {
            throw new Unavailable(closed ? "The server is stopping." : "Too many calls wait to be looked up.", null);
        }
        return question.await(patience);
    }

    private void run(RequestKeyReader reader) {
        List<Question> gathered = new ArrayList<>(MOST_QUESTIONS);
        try (reader) {
            while (!closed || !questions.isEmpty()) {
                gathered.clear();
                try {
                    Question first = questions.poll(NAP_MS, TimeUnit.MILLISECONDS);
                    if (first != null) {
                        gathered.add(first);
                        questions.drainTo(gathered, MOST_QUESTIONS - 1);
                        reader.answer(gathered);
                    }
                } catch (Throwable failed) { // the reader must not die, and nobody may wait in vain
                    LOG.debug("Request ids could not be looked up", failed);
                    gathered.forEach(question -> question.failed(failed));
                }
            }
        }
    }

    /** Answers those who wait, and ends. */
    @Override
    public void close() {
        closed = true;
        for (Thread reader : readers) {
            try {
                reader.join(patience.plusSeconds(1));
            } catch (InterruptedException hostWantsItsThread) {
                Thread.currentThread().interrupt();
            }
        }
        questions.forEach(late -> late.failed(new IllegalStateException("The server is stopping.")));
    }
}
