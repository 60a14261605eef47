package dev.toolgate.server.operate.instance;

import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.instance.GateInstance;
import dev.toolgate.store.instance.RunningInstance;
import dev.toolgate.store.instance.RunningInstance.JoinResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this server with its database. A server with other storage folders than a running one does not start: files
 * written by one would be missing on the other.
 */
public final class InstanceRegistration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceRegistration.class);
    private static final Duration RESTORE_INTERVAL = Duration.ofSeconds(5);
    // The database may take a moment to notice that a server was killed.
    private static final Duration DEAD_SERVER_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(250);

    private final RunningInstance instance;
    private final StoragePlaces places;
    private final Thread watcher;

    private InstanceRegistration(RunningInstance instance, StoragePlaces places) {
        this.instance = instance;
        this.places = places;
        this.watcher = Thread.ofVirtual().name("toolgate-places").start(this::watch);
    }

    /**
     * Registers this server.
     *
     * @param settingKey the digest of the admin key in its setting; {@code null} if not set
     * @throws IOException if a server with other file locations is running on the database
     */
    public static InstanceRegistration open(
            DatabaseListener listener, StoragePlaces places, @Nullable SecretDigest settingKey)
            throws IOException, SQLException {
        GateInstance here = GateInstance.here(host(), places.identities());
        long giveUp = System.nanoTime() + DEAD_SERVER_TIMEOUT.toNanos();
        while (true) {
            switch (RunningInstance.join(
                    listener, here, settingKey, other -> LOG.error("{}", refusal(places, other)))) {
                case JoinResult.Joined joined -> {
                    return new InstanceRegistration(joined.instance(), places);
                }
                case JoinResult.Conflict conflict -> {
                    if (System.nanoTime() > giveUp) {
                        throw new IOException(refusal(places, conflict.other()));
                    }
                    pause();
                }
            }
        }
    }

    /** The registered instance. */
    public RunningInstance instance() {
        return instance;
    }

    private static String refusal(StoragePlaces places, GateInstance other) {
        List<String> differing = places.differing(other.places());
        return "Another Toolgate (process " + other.processId() + " on " + other.host()
                + ") runs on this database and keeps other files: the " + String.join(" and the ", differing)
                + " of this one would be missing there; "
                + differing.stream().map(places::remedy).collect(Collectors.joining(", and "))
                + ", or stop the other.";
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            return "an unnamed machine";
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(RETRY_INTERVAL);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the server was being started.", interrupted);
        }
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(RESTORE_INTERVAL);
                restore();
            }
        } catch (InterruptedException over) {
            // closed
        }
    }

    private void restore() {
        try {
            places.restore();
        } catch (IOException later) {
            LOG.debug("The identity files of the folders could not be restored", later);
        }
    }

    @Override
    public void close() {
        watcher.interrupt();
        try {
            watcher.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        instance.close();
    }
}
