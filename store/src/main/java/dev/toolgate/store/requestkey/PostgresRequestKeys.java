package dev.toolgate.store.requestkey;

import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.batch.BatchPace;
import dev.toolgate.store.batch.Batcher;
import dev.toolgate.store.connection.UnpooledConnections;
import dev.toolgate.store.requestkey.KeyRequest.Mode;
import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Request ids in PostgreSQL: claims of calls on this gate in memory, of calls on all gates by advisory locks, and
 * keys that were taken for good by a look at their table. Whoever asks while others are being answered shares the next
 * message, so a hundred callers cost one round trip.
 */
public final class PostgresRequestKeys implements RequestKeys, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresRequestKeys.class);
    private static final int CAPACITY = 8192;
    private static final int MAX_TOGETHER = 256;
    /** At once on this gate: a third of the locks that PostgreSQL has room for unless it is told otherwise. */
    private static final int MAX_CLAIMS = 2048;
    /** At the latest after this, claims are given up though nobody asks for anything. */
    private static final Duration IDLE = Duration.ofMillis(25);
    /** From one question to the next. */
    private static final Duration PACE = Duration.ofNanos(400_000);

    private final Map<StoredId, KeyRequest> claimed = new ConcurrentHashMap<>();
    private final Semaphore room = new Semaphore(MAX_CLAIMS);
    private final Duration timeout;
    private final RequestKeyLocks locks;
    private final Batcher<KeyRequest> requests;

    /**
     * @param sessions one connection is kept for good
     * @param timeout how long a caller waits for the answer
     */
    public PostgresRequestKeys(UnpooledConnections sessions, Duration timeout) {
        this.timeout = timeout;
        // One, since two would share the same callers between smaller questions, which cost more.
        this.locks = new RequestKeyLocks(sessions);
        this.requests = new Batcher<>(
                "toolgate-request-keys",
                new Batcher.Limits(CAPACITY, MAX_TOGETHER, Long.MAX_VALUE, IDLE, timeout.plusSeconds(1)),
                BatchPace.of(PACE),
                new Lookups());
    }

    private final class Lookups implements Batcher.Work<KeyRequest> {
        @Override
        public void run(List<KeyRequest> batch) {
            try {
                if (batch.isEmpty()) {
                    locks.giveUpReleased();
                } else {
                    locks.answer(batch);
                }
            } catch (SQLException unreachable) {
                LOG.debug("Request ids could not be looked up", unreachable);
                batch.forEach(request -> request.failed(unreachable));
            }
        }

        @Override
        public int weight(KeyRequest request) {
            return 1;
        }

        @Override
        public void end() {
            locks.close();
        }
    }

    @Override
    public Earlier claim(RequestKey key) {
        StoredId id = StoredId.of(key);
        KeyRequest request = new KeyRequest(key, id, Mode.CLAIM, timeout);
        KeyRequest other = claimed.putIfAbsent(id, request);
        if (other != null) {
            // One that only asks may be refused yet, so it does not say what the id belongs to.
            return other.isGranted() && !other.key().digest().equals(key.digest())
                    ? new Earlier.OtherCall()
                    : new Earlier.StillRunning();
        }
        boolean mine = false;
        try {
            enter();
            try {
                Earlier earlier = ask(request);
                mine = earlier instanceof Earlier.Nothing;
                if (mine) {
                    request.granted();
                }
                return earlier;
            } finally {
                if (!mine) {
                    room.release();
                }
            }
        } finally {
            if (!mine) {
                claimed.remove(id, request);
            }
        }
    }

    private void enter() {
        try {
            if (!room.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unavailable("Too many calls with a request id of their own are on their way.", null);
            }
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The wait for other calls was cut short.", hostWantsItsThread);
        }
    }

    @Override
    public void release(RequestKey key) {
        StoredId id = StoredId.of(key);
        KeyRequest claim = claimed.get(id);
        if (claim != null) {
            locks.release(claim.lock()); // first, so that it comes before the next claim of this id
            claimed.remove(id, claim);
            room.release();
        }
    }

    @Override
    public Earlier find(RequestKey key) {
        return ask(new KeyRequest(key, StoredId.of(key), Mode.FIND, timeout));
    }

    private Earlier ask(KeyRequest request) {
        if (!requests.add(request)) {
            throw new Unavailable(
                    requests.isClosed() ? "The server is stopping." : "Too many calls wait to be looked up.", null);
        }
        return request.await();
    }

    /** Answers those who wait, and ends. */
    @Override
    public void close() {
        requests.close();
    }
}
