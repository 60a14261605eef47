package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of this process that listens for notifications (LISTEN/NOTIFY), and the one thread that serves
 * all watchers. It reconnects after an outage. Because a notification can get lost, every
 * watcher also polls at regular intervals; a notification only makes it poll at once.
 */
public final class DatabaseListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseListener.class);
    private static final int NETWORK_TIMEOUT_MS = 5_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RECONNECT_AFTER = Duration.ofMillis(200);
    /** New and closed watchers are noticed within this time; until then the thread only waits on its socket. */
    private static final Duration MAX_WAIT = Duration.ofMillis(100);
    /**
     * A gate that stops closes its watchers one after the other. So for a moment after the first, the thread looks more
     * often, and the others take no tenth of a second each.
     */
    private static final Duration MAX_WAIT_AFTER_CLOSING = Duration.ofMillis(5);

    private static final Duration MOMENT_AFTER_CLOSING = Duration.ofMillis(500);

    private static final Executor SAME_THREAD = Runnable::run;

    private final UnpooledConnections unpooled;
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;
    /** The number of connections opened so far; used only by the thread. */
    private int connections;
    /** When a watcher was last closed; used only by the thread. */
    private long lastClosing = System.nanoTime() - MOMENT_AFTER_CLOSING.toNanos();

    /** Polls for changes. All methods are called by the thread of the listener and must not block for long. */
    public interface Watcher {
        /** What it watches, for log lines. */
        String subject();

        /** The channel of its notifications; {@code null} if it only polls. */
        @Nullable
        String channel();

        /** The polling interval. */
        Duration interval();

        /** Called with a new connection, the first one or one after an outage. */
        default void connected(Connection connection) throws SQLException {}

        /** Called for each notification; {@link #poll} follows. */
        default void notified(String payload) {}

        /** Polls the database, with a connection in autocommit mode. */
        void poll(Connection connection) throws SQLException;

        /** Called last, when the watcher is closed, if the database can be reached. */
        default void leave(Connection connection) throws SQLException {}
    }

    /** The subscription of a watcher. */
    public interface Subscription extends AutoCloseable {
        /** Returns when the watcher is no longer used, or after five seconds. */
        @Override
        void close();
    }

    private final class Registration implements Subscription {
        private final Watcher watcher;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile boolean closing;
        /** The number of the connection that the watcher was given. */
        private int connection;

        private long nextPoll = System.nanoTime();
        private boolean failing;

        Registration(Watcher watcher) {
            this.watcher = watcher;
        }

        @Override
        public void close() {
            closing = true;
            awaitEnd(ended);
        }

        void serve(Connection current) throws SQLException {
            if (closing) {
                lastClosing = System.nanoTime();
                if (registrations.remove(this)) {
                    end(current);
                }
                return;
            }
            if (nextPoll - System.nanoTime() > 0) {
                return;
            }
            try {
                if (connection != connections) {
                    listen(current, watcher.channel());
                    watcher.connected(current);
                    connection = connections;
                }
                watcher.poll(current);
                nextPoll = System.nanoTime() + watcher.interval().toNanos();
                failing = false;
            } catch (SQLException | RuntimeException failed) {
                if (!current.isValid(1)) {
                    throw failed;
                }
                nextPoll = System.nanoTime() + watcher.interval().toNanos();
                if (!failing) {
                    LOG.warn("Polling for {} failed and is retried: {}", watcher.subject(), failed.toString());
                }
                failing = true;
            }
        }

        void notified(PGNotification notification) {
            if (!closing && notification.getName().equals(watcher.channel())) {
                watcher.notified(notification.getParameter());
                pollSoon();
            }
        }

        void pollSoon() {
            nextPoll = System.nanoTime();
        }

        void end(@Nullable Connection current) {
            try {
                if (current != null && connection == connections) {
                    watcher.leave(current);
                }
            } catch (SQLException | RuntimeException failed) {
                LOG.debug("Closing the watcher for {} failed", watcher.subject(), failed);
            } finally {
                ended.countDown();
            }
        }
    }

    public DatabaseListener(UnpooledConnections unpooled) {
        this.unpooled = unpooled;
    }

    /** Adds a watcher; watchers are served in the order in which they subscribed. */
    public synchronized Subscription subscribe(Watcher watcher) {
        Registration registration = new Registration(watcher);
        if (closed.getCount() == 0) {
            registration.end(null);
            return registration;
        }
        registrations.add(registration);
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("toolgate-listener").start(this::run);
        }
        return registration;
    }

    private static void listen(Connection connection, @Nullable String channel) throws SQLException {
        if (channel != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("LISTEN " + channel);
            }
        }
    }

    private void run() {
        boolean reported = false;
        while (closed.getCount() > 0) {
            try (Connection connection = unpooled.open()) {
                connection.setNetworkTimeout(SAME_THREAD, NETWORK_TIMEOUT_MS);
                reported = false;
                connections++;
                registrations.forEach(Registration::pollSoon);
                serve(connection);
                registrations.reversed().forEach(registration -> registration.end(connection));
            } catch (SQLException | RuntimeException lost) {
                if (!reported && closed.getCount() > 0) {
                    LOG.warn("Listening for changes stopped until the database is back: {}", lost.toString());
                    reported = true;
                }
                pauseBeforeReconnect();
            }
        }
        registrations.forEach(registration -> registration.end(null));
    }

    private void serve(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (closed.getCount() > 0) {
            for (Registration registration : registrations) {
                registration.serve(connection);
            }
            for (PGNotification notification : postgres.getNotifications(waitMillis())) {
                registrations.forEach(registration -> registration.notified(notification));
            }
        }
    }

    private int waitMillis() {
        boolean closing = System.nanoTime() - lastClosing < MOMENT_AFTER_CLOSING.toNanos();
        long wait = (closing ? MAX_WAIT_AFTER_CLOSING : MAX_WAIT).toNanos();
        for (Registration registration : registrations) {
            wait = Math.min(wait, registration.nextPoll - System.nanoTime());
        }
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)); // zero would wait forever
    }

    // Without a connection, closing watchers end at once.
    private void pauseBeforeReconnect() {
        List<Registration> over = registrations.stream()
                .filter(registration -> registration.closing)
                .toList();
        registrations.removeAll(over);
        over.forEach(registration -> registration.end(null));
        try {
            boolean _ = closed.await(RECONNECT_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            boolean _ = ended.await(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all watchers. */
    @Override
    public synchronized void close() {
        closed.countDown();
        Thread running = thread;
        if (running != null) {
            try {
                running.join(CLOSE_TIMEOUT);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
