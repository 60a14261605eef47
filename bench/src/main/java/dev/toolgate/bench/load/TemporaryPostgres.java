package dev.toolgate.bench.load;

import dev.toolgate.store.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** An embedded PostgreSQL server in a temporary folder; both are deleted when it is closed. */
final class TemporaryPostgres implements AutoCloseable {
    private final Path home;
    private EmbeddedPostgres server;

    private TemporaryPostgres(Path home, EmbeddedPostgres server) {
        this.home = home;
        this.server = server;
    }

    static TemporaryPostgres start() throws IOException {
        // Accessible to the database account, if run as root.
        Path home = Files.createTempDirectory("bench-load-");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new TemporaryPostgres(home, EmbeddedPostgres.start(home));
    }

    Path home() {
        return home;
    }

    EmbeddedPostgres server() {
        return server;
    }

    /** Stops the server, which writes everything to the disk, and starts it again. */
    void restart() throws IOException {
        server.close();
        server = EmbeddedPostgres.start(home);
    }

    /** The URL for the setting {@code DATABASE_URL}. */
    String url() {
        return server.jdbcUrl() + "?user=" + encode(server.user()) + "&password=" + encode(server.password());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
