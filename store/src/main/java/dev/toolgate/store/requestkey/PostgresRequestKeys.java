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
 * Request keys in PostgreSQL: claims of calls on this gate are in memory, claims across gates are advisory locks, and
 * persistent keys are rows. Callers that arrive during a query share the next
 * one, so a hundred callers cost one round trip.
 */
public final class PostgresRequestKeys implements RequestKeys, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresRequestKeys.class);
    private static final int CAPACITY = 8192;
    private static final int MAX_BATCH = 256;
    /** Concurrent claims of this gate: a third of the locks that PostgreSQL supports by default. */
    private static final int MAX_CLAIMS = 2048;
    /** After this time without requests, released claims are unlocked. */
    private static final Duration IDLE_INTERVAL = Duration.ofMillis(25);
    /** The minimum interval between queries with few running calls; up to four times as long with many. */
    private static final Duration MIN_INTERVAL = Duration.ofNanos(400_000);

    private static final int CALLS_PER_STEP = 16;
    private static final int MAX_STEPS = 4;

    private final Map<StoredId, KeyRequest> claimed = new ConcurrentHashMap<>();
    private final Semaphore capacity = new Semaphore(MAX_CLAIMS);
    private final Duration timeout;
    private final RequestKeyLocks locks;
    private final Batcher<KeyRequest> requests;

    /**
     * @param connections one connection is kept open
     * @param timeout how long a caller waits for a lookup
     */
    public PostgresRequestKeys(UnpooledConnections connections, Duration timeout) {
        this.timeout = timeout;
        // Only one, because two would make smaller batches, which cost more.
        this.locks = new RequestKeyLocks(connections);
        this.requests = new Batcher<>(
                "toolgate-request-keys",
                new Batcher.Limits(CAPACITY, MAX_BATCH, Long.MAX_VALUE, IDLE_INTERVAL, timeout.plusSeconds(1)),
                BatchPace.of(this::pace),
                new Lookups());
    }

    private Duration pace() {
        return MIN_INTERVAL.multipliedBy(
                Math.clamp((MAX_CLAIMS - capacity.availablePermits()) / CALLS_PER_STEP, 1, MAX_STEPS));
    }

    private final class Lookups implements Batcher.Work<KeyRequest> {
        @Override
        public void run(List<KeyRequest> batch) {
            try {
                if (batch.isEmpty()) {
                    locks.unlockReleased();
                } else {
                    locks.answer(batch);
                }
            } catch (SQLException unreachable) {
                LOG.debug("Lookup of request ids failed", unreachable);
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
            // The other claim may still be refused, so until it is granted the id does not belong to its call.
            return other.isGranted() && !other.key().digest().equals(key.digest())
                    ? new Earlier.OtherCall()
                    : new Earlier.StillRunning();
        }
        boolean mine = false;
        try {
            acquireCapacity();
            try {
                Earlier earlier = ask(request);
                mine = earlier instanceof Earlier.Nothing;
                if (mine) {
                    request.granted();
                }
                return earlier;
            } finally {
                if (!mine) {
                    capacity.release();
                }
            }
        } finally {
            if (!mine) {
                claimed.remove(id, request);
            }
        }
    }

    private void acquireCapacity() {
        try {
            if (!capacity.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unavailable("Too many calls with a request id are running; try again shortly.", null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while it waited for other calls.", interrupted);
        }
    }

    @Override
    public void release(RequestKey key) {
        StoredId id = StoredId.of(key);
        KeyRequest claim = claimed.get(id);
        if (claim != null) {
            locks.release(claim.lock()); // first, so that it precedes the next claim of this id
            claimed.remove(id, claim);
            capacity.release();
        }
    }

    @Override
    public Earlier find(RequestKey key) {
        return ask(new KeyRequest(key, StoredId.of(key), Mode.FIND, timeout));
    }

    private Earlier ask(KeyRequest request) {
        if (!requests.add(request)) {
            throw new Unavailable(
                    requests.isClosed()
                            ? "The server is stopping."
                            : "Too many request ids are being looked up; try again shortly.",
                    null);
        }
        return request.await();
    }

    /** Processes the queue, and ends. */
    @Override
    public void close() {
        requests.close();
    }
}
