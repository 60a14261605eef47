package dev.toolgate.store;

import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.embedded.EmbeddedPostgres;
import dev.toolgate.store.embedded.UnpackedPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One server for all tests of a JVM, started on first use and stopped with the JVM. Every test gets its own database.
 * Its data is in memory where the system has room there: a database has 300 files, and on a disk from which many have
 * just been deleted, creating those takes ten times as long.
 */
public final class SharedPostgres {
    /** System property with the folder of already unpacked PostgreSQL programs, for processes started by tests. */
    public static final String PROGRAMS = "toolgate.test.programs";

    private static final String PREFIX = "toolgate-postgres-";
    private static final Path DISK = Path.of(System.getProperty("java.io.tmpdir"));
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Several servers run at a time, each with its write-ahead log and the databases of one test class. */
    private static final long ROOM = 4L << 30;

    private static final Queue<String> OF_RUNNING_CLASS = new ConcurrentLinkedQueue<>();

    private SharedPostgres() {}

    /** The shared server. */
    public static EmbeddedPostgres server() {
        return Holder.SERVER;
    }

    /** The shared server's home. */
    public static Path home() {
        return Holder.HOME;
    }

    /** A new empty database, for one test class. */
    public static DatabaseUrl newDatabase() throws SQLException {
        return forRunningClass(create("template1"));
    }

    /** Creates a copy of a database. */
    static DatabaseUrl create(String template) throws SQLException {
        String name = "test_" + UUID.randomUUID().toString().replace("-", "");
        EmbeddedPostgres server = server();
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name + " TEMPLATE " + template);
        }
        return new DatabaseUrl(server.jdbcUrl().replaceFirst("/[^/]*$", "/" + name), server.user(), server.password());
    }

    /** Has a database dropped when the test class that is running has ended. */
    static DatabaseUrl forRunningClass(DatabaseUrl database) {
        OF_RUNNING_CLASS.add(MigratedDatabase.name(database));
        return database;
    }

    /**
     * Makes room in memory. Databases to which a connection is open are left to the next time. On a disk, dropping
     * databases takes longer than deleting all of them at the end.
     */
    static void dropDatabasesOfEndedClass() throws SQLException {
        if (OF_RUNNING_CLASS.isEmpty() || !home().startsWith(MEMORY)) {
            return;
        }
        List<String> names = List.copyOf(OF_RUNNING_CLASS);
        EmbeddedPostgres server = server();
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement()) {
            for (String name : names) {
                if (!isInUse(statement, name)) {
                    statement.execute("DROP DATABASE " + name);
                    OF_RUNNING_CLASS.remove(name);
                }
            }
        }
    }

    private static boolean isInUse(Statement statement, String database) throws SQLException {
        try (ResultSet sessions = statement.executeQuery("SELECT 1 FROM pg_stat_activity WHERE datname = '" + database
                + "' AND usename IS NOT NULL")) { // the server's own processes have no user
            return sessions.next();
        }
    }

    private static final class Holder {
        static final Path HOME = home();
        static final EmbeddedPostgres SERVER = start(HOME);

        static Path home() {
            try {
                Path home = folder(hasRoom(MEMORY) ? MEMORY : DISK);
                Optional<Path> programs =
                        Optional.ofNullable(System.getProperty(PROGRAMS)).map(Path::of);
                if (programs.isEmpty()) {
                    programs = UnpackedPrograms.folder();
                }
                if (programs.isEmpty() && home.startsWith(MEMORY)) {
                    programs = Optional.of(folder(DISK)); // systems may forbid to run programs from memory
                }
                if (programs.isPresent()) {
                    Files.createSymbolicLink(home.resolve("postgres"), programs.get());
                }
                return home;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static boolean hasRoom(Path memory) throws IOException {
            if (!Files.isWritable(memory)) {
                return false;
            }
            deleteAbandoned(memory);
            return Files.getFileStore(memory).getUsableSpace() > ROOM;
        }

        /** Folders of JVMs that were killed would take up memory until the system restarts. */
        private static void deleteAbandoned(Path memory) throws IOException {
            try (DirectoryStream<Path> homes = Files.newDirectoryStream(memory, PREFIX + "*")) {
                for (Path home : homes) {
                    String process = String.valueOf(home.getFileName()).split("-", -1)[2];
                    if (Files.isWritable(home)
                            && ProcessHandle.of(Long.parseLong(process)).isEmpty()) {
                        Folders.delete(home);
                    }
                }
            } catch (NoSuchFileException | UncheckedIOException deletedMeanwhile) {
                // by another JVM that starts
            }
        }

        /** Accessible to the database account, so that tests run as root need no other folder. */
        private static Path folder(Path parent) throws IOException {
            Path folder = Files.createTempDirectory(
                    parent, PREFIX + ProcessHandle.current().pid() + "-");
            return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
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
                Path link = home.resolve("postgres");
                Optional<Path> programs =
                        Files.isSymbolicLink(link) ? Optional.of(Files.readSymbolicLink(link)) : Optional.empty();
                Folders.delete(home);
                if (programs.isPresent()
                        && String.valueOf(programs.get().getFileName()).startsWith(PREFIX)) {
                    Folders.delete(programs.get()); // unpacked for this server alone
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException unexpected) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
