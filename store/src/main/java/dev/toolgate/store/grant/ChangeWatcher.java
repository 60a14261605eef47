package dev.toolgate.store.grant;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for changes of permissions, and looks at the versions a few times a second all the same,
 * because a notification can get lost. What it misses is found by the next caller: it makes answers
 * quick, it does not make them right.
 */
final class ChangeWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatcher.class);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final int NETWORK_PATIENCE_MS = 2000;
    private static final Executor ON_THE_SPOT = Runnable::run;

    private final Sessions sessions;
    private final PermissionVersions versions;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param sessions one connection is kept for good
     */
    ChangeWatcher(Sessions sessions, PermissionVersions versions) {
        this.sessions = sessions;
        this.versions = versions;
        this.thread = Thread.ofPlatform().daemon().name("toolgate-permissions").start(this::watch);
    }

    private void watch() {
        boolean reported = false;
        while (closed.getCount() > 0) {
            try (Connection connection = sessions.open();
                    Statement statement = connection.createStatement()) {
                connection.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
                statement.execute("LISTEN toolgate_permissions");
                reported = false;
                listen(connection);
            } catch (SQLException | RuntimeException lost) {
                if (!reported) {
                    LOG.warn(
                            "Not listening for changes of permissions until the database is back: {}", lost.toString());
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
                versions.changed(new TenantId(change.getParameter()));
            }
            versions.refresh(connection);
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
