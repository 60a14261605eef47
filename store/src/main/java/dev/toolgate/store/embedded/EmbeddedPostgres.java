package dev.toolgate.store.embedded;

import dev.toolgate.store.connection.DatabaseAccess;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded PostgreSQL server with its data in the home folder. It listens only on a loopback port,
 * accepts only its own roles with random passwords, and ends with this process even if that is killed. A server
 * that crashes is restarted at the same address.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    /** What the server is doing. */
    public enum State {
        RUNNING,
        /** It crashed and is being restarted. */
        RESTARTING,
        STOPPED
    }

    private final HomeLock lock;
    private final PostgresLauncher launcher;
    private final ServerLog log;
    private final String password;
    private final Cluster.Passwords passwords;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread watcher;
    private volatile Postmaster postmaster;
    private volatile State state = State.RUNNING;

    private EmbeddedPostgres(
            HomeLock lock,
            PostgresLauncher launcher,
            ServerLog log,
            String password,
            Cluster.Passwords passwords,
            Postmaster postmaster) {
        this.lock = lock;
        this.launcher = launcher;
        this.log = log;
        this.password = password;
        this.passwords = passwords;
        this.postmaster = postmaster;
        watcher = Thread.ofPlatform().name("toolgate-database-watch").daemon().unstarted(this::watch);
    }

    /**
     * Starts the server and waits until it accepts connections; the first time, this unpacks PostgreSQL and
     * creates the database.
     *
     * @throws IOException if it cannot be started; its message is one sentence for the user
     */
    public static EmbeddedPostgres start(Path home) throws IOException {
        Path real = Permissions.folder(home.toAbsolutePath().normalize(), "rwx------")
                .toRealPath();
        HomeLock lock = HomeLock.take(real);
        try {
            DatabaseLocation location = DatabaseLocation.of(real);
            PostgresLauncher launcher = new PostgresLauncher(location, Binaries.in(location.programs()));
            String password = Cluster.prepare(real, launcher);
            StaleServer.clear(launcher);
            Cluster.Passwords passwords = Cluster.prepareRoles(real, launcher);
            ServerLog log = new ServerLog(real);
            EmbeddedPostgres started =
                    new EmbeddedPostgres(lock, launcher, log, password, passwords, Postmaster.start(launcher, log));
            started.watcher.start();
            return started;
        } catch (IOException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + postmaster.port() + "/" + Cluster.DATABASE;
    }

    public String user() {
        return Cluster.USER;
    }

    public String password() {
        return password;
    }

    /** The address and credentials of the owner role. */
    public DatabaseUrl url() {
        return new DatabaseUrl(jdbcUrl(), user(), password());
    }

    /** The roles by purpose. */
    public DatabaseAccess access() {
        return access(jdbcUrl());
    }

    /** The same, for another database of this server. */
    public DatabaseAccess access(String jdbcUrl) {
        return new DatabaseAccess(
                new DatabaseUrl(jdbcUrl, Cluster.GATE, passwords.gate()),
                new DatabaseUrl(jdbcUrl, user(), password()),
                new DatabaseUrl(jdbcUrl, Cluster.RETENTION, passwords.retention()));
    }

    /** The process id of the server. */
    public long pid() {
        return postmaster.process().pid();
    }

    public State state() {
        return state == State.RUNNING && !postmaster.process().isAlive() ? State.RESTARTING : state;
    }

    /** The folder with programs and data: the home, or for root one that the database account can enter. */
    public Path folder() {
        return launcher.location().folder();
    }

    private void watch() {
        try {
            while (true) {
                postmaster.process().waitFor();
                if (closing.getCount() == 0) {
                    return;
                }
                state = State.RESTARTING;
                LOG.error(
                        "The database server ended with exit code {}; restarting it",
                        postmaster.process().exitValue());
                if (!startAgain()) {
                    return;
                }
                state = State.RUNNING;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean startAgain() throws InterruptedException {
        for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
            try {
                StaleServer.clear(launcher);
                postmaster = Postmaster.start(launcher, log, postmaster.port());
                LOG.info("The database server was restarted");
                return true;
            } catch (IOException failed) {
                LOG.warn("The database server could not be restarted yet: {}", failed.getMessage());
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }

    /** Stops the server; takes at most half a minute. */
    @Override
    public void close() throws IOException {
        if (state == State.STOPPED) {
            return;
        }
        // An interrupt must not leave the server running.
        boolean interrupted = Thread.interrupted();
        try (lock) {
            closing.countDown();
            watcher.interrupt();
            watcher.join();
            Shutdown.stop(launcher, postmaster.process().toHandle());
        } catch (InterruptedException e) {
            interrupted = true;
            postmaster.process().destroyForcibly();
        } finally {
            state = State.STOPPED;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
