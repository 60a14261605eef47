package dev.toolgate.store;

import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/**
 * One server for all tests of a JVM, started on first use and stopped with the JVM. Every test gets its own database.
 */
public final class SharedPostgres {
    /** System property with the folder of already unpacked PostgreSQL programs, for processes started by tests. */
    public static final String PROGRAMS = "toolgate.test.programs";

    private SharedPostgres() {}

    /** The shared server. */
    public static EmbeddedPostgres server() {
        return Holder.SERVER;
    }

    /** The shared server's home. */
    public static Path home() {
        return Holder.HOME;
    }

    /** A new empty database. */
    public static DatabaseUrl newDatabase() throws SQLException {
        EmbeddedPostgres server = server();
        String name = "test_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        String url = server.jdbcUrl().replaceFirst("/[^/]*$", "/" + name);
        return new DatabaseUrl(url, server.user(), server.password());
    }

    private static final class Holder {
        static final Path HOME = home();
        static final EmbeddedPostgres SERVER = start(HOME);

        /** Accessible to the database account, so that tests run as root need no other folder. */
        static Path home() {
            try {
                Path home = Files.createTempDirectory("toolgate-postgres-");
                Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
                String programs = System.getProperty(PROGRAMS);
                if (programs != null) {
                    Files.createSymbolicLink(home.resolve("postgres"), Path.of(programs));
                }
                return home;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static EmbeddedPostgres start(Path home) {
            try {
                EmbeddedPostgres server = EmbeddedPostgres.start(home);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, home)));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        // Its files are deleted right after, so the last checkpoint over those of hundreds of databases need not reach
        // the disk, which would take half a minute.
        private static void stopSyncing(EmbeddedPostgres server) throws IOException, InterruptedException {
            Files.writeString(
                    server.folder().resolve("data/postgresql.auto.conf"), "fsync = off\n", StandardOpenOption.APPEND);
            new ProcessBuilder("kill", "-HUP", String.valueOf(server.pid()))
                    .start()
                    .waitFor();
        }

        static void end(EmbeddedPostgres server, Path home) {
            try {
                stopSyncing(server);
                server.close();
                Folders.delete(home);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException unexpected) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
