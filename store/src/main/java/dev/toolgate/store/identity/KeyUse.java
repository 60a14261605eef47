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

/** Writes down when keys were last used: to the minute, all together, and without anybody waiting for it. */
final class KeyUse implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyUse.class);
    private static final long ONCE_A = Duration.ofMinutes(1).toNanos();
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final int MOST_KEYS = 100_000;

    private final Map<UUID, Long> noted = new ConcurrentHashMap<>();
    private final Set<UUID> toWrite = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final DataSource dataSource;
    private final Thread thread;

    KeyUse(DataSource dataSource) {
        this.dataSource = dataSource;
        this.thread = Thread.ofPlatform().daemon().name("toolgate-key-use").start(this::write);
    }

    void of(UUID key) {
        Long last = noted.get(key);
        long now = System.nanoTime();
        if (last != null && now - last < ONCE_A) {
            return;
        }
        if (noted.size() >= MOST_KEYS) {
            noted.clear();
        }
        noted.put(key, now);
        toWrite.add(key);
    }

    private void write() {
        try {
            while (!closed.await(ROUND.toMillis(), TimeUnit.MILLISECONDS)) {
                writeSome();
            }
            writeSome();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    // In the order of ids, so that two instances cannot wait for each other's rows.
    private void writeSome() {
        Object[] keys = taken();
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
            LOG.debug("When keys were last used could not be written: {}", lost.toString());
        }
    }

    private Object[] taken() {
        Object[] keys = toWrite.toArray();
        for (Object key : keys) {
            toWrite.remove(key);
        }
        return keys;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(3));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
