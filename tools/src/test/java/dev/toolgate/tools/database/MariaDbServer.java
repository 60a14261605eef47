package dev.toolgate.tools.database;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A MariaDB for the tests on a loopback port, run by a dedicated account. */
final class MariaDbServer implements AutoCloseable {
    static final String PASSWORD = "planted-mariadb-password";
    private static final @Nullable String ACCOUNT =
            System.getProperty("user.name").equals("root") ? "mysql" : null;

    final int port;
    private final Process process;

    MariaDbServer(Path folder) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Files.createDirectory(folder.resolve("data"));
        if (ACCOUNT != null) {
            Files.setOwner(
                    data, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(ACCOUNT));
        }
        run(
                folder,
                program("mariadb-install-db"),
                "--no-defaults",
                "--datadir=" + data,
                "--skip-test-db",
                "--auth-root-authentication-method=normal");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        process = start(
                folder,
                program("mariadbd"),
                "--no-defaults",
                "--datadir=" + data,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + data.resolve("s"),
                "--pid-file=" + data.resolve("pid"),
                "--skip-log-bin",
                "--innodb-flush-log-at-trx-commit=0");
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> {
            try (Connection _ = connect("")) {
                // The server accepts connections.
            }
        });
    }

    private static String program(String name) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin", "/usr/libexec"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        name + " is not installed; ./verify installs it, or install the package mariadb-server"))
                .toString();
    }

    private static Process start(Path folder, String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of(command));
        if (ACCOUNT != null) {
            all.add("--user=" + ACCOUNT);
        }
        return new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private static void run(Path folder, String... command) throws Exception {
        Process process = start(folder, command);
        if (!process.waitFor(90, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(command[0] + " failed: " + Files.readString(folder.resolve("log")));
        }
    }

    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?allowMultiQueries=true", "root", "");
    }

    void execute(String database, String... statements) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    String one(String database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
