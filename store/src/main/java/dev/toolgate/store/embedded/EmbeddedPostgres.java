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
 * A PostgreSQL server of this process's own, with its data in a home folder. It listens on a loopback port
 * only, lets its own roles in with random passwords, and ends with this process even if that is killed. A server
 * that dies is started again at the same address, so that connections can simply be opened anew.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** What the server is doing. */
    public enum State {
        RUNNING,
        /** It died and is being started again. */
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
     * Starts the server and waits until it accepts connections; the first time this unpacks PostgreSQL and
     * makes the database.
     *
     * @throws IOException with one sentence that says what is wrong, for example who else uses the home
     */
    public static EmbeddedPostgres start(Path home) throws IOException {
        Path real = Permissions.folder(home.toAbsolutePath().normalize(), "rwx------")
                .toRealPath();
        HomeLock lock = HomeLock.take(real);
        try {
            Place place = Place.of(real);
            PostgresLauncher launcher = new PostgresLauncher(place, Binaries.in(place.programs()));
            String password = Cluster.prepare(real, launcher);
            Leftover.clear(launcher);
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

    /** All that it takes to connect as the owner of everything. */
    public DatabaseUrl url() {
        return new DatabaseUrl(jdbcUrl(), user(), password());
    }

    /** As whom it is used for what. */
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

    /** The process number of the server. */
    public long pid() {
        return postmaster.process().pid();
    }

    public State state() {
        return state == State.RUNNING && !postmaster.process().isAlive() ? State.RESTARTING : state;
    }

    /** The folder that programs and data lie in: the home, or for root one that the database's account can enter. */
    public Path folder() {
        return launcher.place().folder();
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
                        "The database server ended with code {}; starting it again",
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
                Leftover.clear(launcher);
                postmaster = Postmaster.start(launcher, log, postmaster.port());
                LOG.info("The database server runs again");
                return true;
            } catch (IOException failed) {
                LOG.warn("The database server cannot be started yet: {}", failed.getMessage());
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** Stops the server, which takes a moment, or half a minute at most if it does not obey. */
    @Override
    public void close() throws IOException {
        if (state == State.STOPPED) {
            return;
        }
        // Somebody in a hurry must not leave the server running.
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
