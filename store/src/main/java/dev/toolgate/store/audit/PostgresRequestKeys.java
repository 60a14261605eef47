package dev.toolgate.store.audit;

import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.Sessions;
import dev.toolgate.store.audit.KeyRequest.Mode;
import dev.toolgate.store.audit.KeyRequest.StoredId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
    private static final long IDLE_MS = 25;
    /** From one question to the next, so that a crowd shares few large ones; who comes alone never waits for it. */
    private static final Duration PACE = Duration.ofNanos(400_000);

    private final BlockingQueue<KeyRequest> requests = new ArrayBlockingQueue<>(CAPACITY);
    private final Map<StoredId, KeyRequest> claimed = new ConcurrentHashMap<>();
    private final Semaphore room = new Semaphore(MAX_CLAIMS);
    private final Duration timeout;
    private final RequestKeyLocks locks;
    private final Thread thread;
    private final Watch watch;
    private volatile List<KeyRequest> asking = List.of();
    private volatile boolean closed;
    private volatile boolean ended;

    /**
     * @param sessions one connection is kept for good
     * @param timeout how long a caller waits for the answer
     */
    public PostgresRequestKeys(Sessions sessions, Duration timeout) {
        this.timeout = timeout;
        // One, since two would share the same callers between smaller questions, which cost more.
        this.locks = new RequestKeyLocks(sessions);
        this.watch = new Watch(this::endWaits);
        this.thread = Thread.ofPlatform().daemon().name("toolgate-request-keys").start(this::run);
    }

    private void endWaits(long now) {
        requests.forEach(request -> request.endWait(now));
        asking.forEach(request -> request.endWait(now));
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
        if (closed || !requests.offer(request)) {
            throw new Unavailable(closed ? "The server is stopping." : "Too many calls wait to be looked up.", null);
        }
        if (ended) {
            refuseRest();
        }
        return request.await();
    }

    private void run() {
        try (locks;
                watch) {
            answerUntilClosed();
        } finally {
            ended = true; // whoever comes later sees this, and whoever came earlier is in the queue
            refuseRest();
        }
    }

    private void refuseRest() {
        requests.forEach(late -> late.failed(new IllegalStateException("The server is stopping.")));
    }

    private void answerUntilClosed() {
        long lastAsked = System.nanoTime() - PACE.toNanos();
        while (!closed || !requests.isEmpty()) {
            List<KeyRequest> gathered = new ArrayList<>();
            try {
                KeyRequest first = requests.poll(IDLE_MS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    gathered.add(first);
                    LockSupport.parkNanos(lastAsked + PACE.toNanos() - System.nanoTime());
                    lastAsked = System.nanoTime();
                    requests.drainTo(gathered, MAX_TOGETHER - 1);
                    asking = gathered; // and nobody changes it any more
                    locks.answer(gathered);
                } else {
                    locks.giveUpReleased();
                }
            } catch (Throwable failed) { // the thread must not die, and nobody may wait in vain
                LOG.debug("Request ids could not be looked up", failed);
                gathered.forEach(request -> request.failed(failed));
            }
            asking = List.of();
        }
    }

    /** Answers those who wait, and ends. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(timeout.plusSeconds(1));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
