package dev.toolgate.store.identity;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records when keys were last used: at most once a minute per key, in batches, in the background. */
final class KeyUsage implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUsage.class);
    private static final long WRITE_INTERVAL = Duration.ofMinutes(1).toNanos();
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_KEYS = 100_000;

    private final Map<UUID, Long> lastRecorded = new ConcurrentHashMap<>();
    private final Set<UUID> pending = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final DataSource dataSource;
    private final Thread thread;

    KeyUsage(DataSource dataSource) {
        this.dataSource = dataSource;
        this.thread = Thread.ofPlatform().daemon().name("toolgate-key-use").start(this::write);
    }

    void record(UUID key) {
        Long last = lastRecorded.get(key);
        long now = System.nanoTime();
        if (last != null && now - last < WRITE_INTERVAL) {
            return;
        }
        if (lastRecorded.size() >= MAX_KEYS) {
            lastRecorded.clear();
        }
        lastRecorded.put(key, now);
        pending.add(key);
    }

    private void write() {
        try {
            while (!closed.await(FLUSH_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                flush();
            }
            flush();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    // Sorted by id, to avoid deadlocks between instances.
    private void flush() {
        Object[] keys = drainPending();
        if (keys.length == 0) {
            return;
        }
        try (Connection connection = dataSource.getConnection();
                PreparedStatement update = connection.prepareStatement("""
                        UPDATE api_keys SET last_used_at = clock_timestamp() WHERE key_id IN (
                            SELECT key_id FROM api_keys WHERE key_id = ANY (?)
                              AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - INTERVAL '1 minute')
                            ORDER BY key_id FOR NO KEY UPDATE SKIP LOCKED)""")) {
            update.setArray(1, connection.createArrayOf("uuid", keys));
            update.executeUpdate();
        } catch (SQLException | RuntimeException lost) {
            LOG.debug("Last use of keys could not be written: {}", lost.toString());
        }
    }

    private Object[] drainPending() {
        Object[] keys = pending.toArray();
        for (Object key : keys) {
            pending.remove(key);
        }
        return keys;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(3));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
