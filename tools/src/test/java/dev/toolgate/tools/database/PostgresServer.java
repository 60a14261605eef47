package dev.toolgate.tools.database;

import dev.toolgate.store.SharedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A PostgreSQL for the tests with superuser access, unlike the shared one, to create the accounts of the attacks. */
final class PostgresServer {
    static final String ADMIN = "admin";
    static final String PASSWORD = "admin-password-of-the-tests";

    private static final boolean ROOT = System.getProperty("user.name").equals("root");

    private PostgresServer() {}

    /** The URL of a database on the server, which is started on first use. */
    static String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + Holder.PORT + "/" + database;
    }

    static Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(url(database), ADMIN, PASSWORD);
    }

    // Uses only the field, because a thread that waits for class initialisation must not need that class.
    private static final class Holder {
        static final int PORT = start();
    }

    private static int start() {
        try {
            Path folder = Files.createTempDirectory("toolgate-attacked-");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path programs = programs();
            Path secret = Files.writeString(folder.resolve("password"), PASSWORD);
            Process made = process(
                    folder,
                    programs.resolve("initdb").toString(),
                    "-D",
                    folder.resolve("data").toString(),
                    "-U",
                    ADMIN,
                    "--auth=scram-sha-256",
                    "--pwfile=" + secret,
                    "--locale=C",
                    "--encoding=UTF8",
                    "--no-sync");
            if (made.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("log")));
            }
            int port;
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            Process server = process(
                    folder,
                    programs.resolve("postgres").toString(),
                    "-D",
                    folder.resolve("data").toString(),
                    "-p",
                    String.valueOf(port),
                    "-h",
                    "127.0.0.1",
                    "-k",
                    "",
                    "-c",
                    "fsync=off");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, folder)));
            String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
            Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> {
                try (Connection _ = DriverManager.getConnection(url, ADMIN, PASSWORD)) {
                    // The server accepts connections.
                }
            });
            return port;
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Path programs() throws IOException {
        try (Stream<Path> files =
                Files.walk(SharedPostgres.server().folder().resolve("postgres"), FileVisitOption.FOLLOW_LINKS)) {
            return Objects.requireNonNull(files.filter(file -> file.endsWith("bin/initdb"))
                    .findFirst()
                    .orElseThrow()
                    .getParent());
        }
    }

    private static Process process(Path folder, String... command) throws IOException {
        List<String> all = new ArrayList<>();
        if (ROOT) {
            all.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        all.addAll(List.of(command));
        return new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private static void end(Process server, Path folder) {
        try {
            new ProcessBuilder("kill", "-QUIT", String.valueOf(server.pid()))
                    .start()
                    .waitFor();
            server.waitFor(10, TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | InterruptedException leftBehind) {
            Thread.currentThread().interrupt();
        }
    }
}
