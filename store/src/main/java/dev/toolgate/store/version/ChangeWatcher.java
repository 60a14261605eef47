package dev.toolgate.store.version;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for changes, and looks at the versions a few times a second all the same,
 * because a notification can get lost. What it misses is found by the next caller: it makes answers
 * quick, it does not make them right.
 */
final class ChangeWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatcher.class);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final int NETWORK_PATIENCE_MS = 2000;
    private static final Executor ON_THE_SPOT = Runnable::run;

    private final VersionTable table;
    private final Sessions sessions;
    private final Consumer<TenantId> changed;
    private final Refresh refresh;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /** Brings every known version up to date. */
    interface Refresh {
        void with(Connection connection) throws SQLException;
    }

    /**
     * @param sessions one connection is kept for good
     * @param changed told of every announced change
     * @param refresh done a few times a second
     */
    ChangeWatcher(VersionTable table, Sessions sessions, Consumer<TenantId> changed, Refresh refresh) {
        this.table = table;
        this.sessions = sessions;
        this.changed = changed;
        this.refresh = refresh;
        this.thread = Thread.ofPlatform().daemon().name(table.channel()).start(this::watch);
    }

    private void watch() {
        boolean reported = false;
        while (closed.getCount() > 0) {
            try (Connection connection = sessions.open();
                    Statement statement = connection.createStatement()) {
                connection.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
                statement.execute("LISTEN " + table.channel());
                reported = false;
                listen(connection);
            } catch (SQLException | RuntimeException lost) {
                if (!reported) {
                    LOG.warn(
                            "Not listening for changes of {} until the database is back: {}",
                            table.subject(),
                            lost.toString());
                    reported = true;
                }
                rest();
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (closed.getCount() > 0) {
            for (PGNotification change : postgres.getNotifications((int) ROUND.toMillis())) {
                changed.accept(new TenantId(change.getParameter()));
            }
            refresh.with(connection);
        }
    }

    private void rest() {
        try {
            boolean _ = closed.await(ROUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
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
