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

/** A PostgreSQL server of our own in a temporary folder; both are gone when it is closed. */
record TemporaryPostgres(Path home, EmbeddedPostgres server) implements AutoCloseable {

    static TemporaryPostgres start() throws IOException {
        // Open to the database's account, for a benchmark run by root.
        Path home = Files.createTempDirectory("bench-load-");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new TemporaryPostgres(home, EmbeddedPostgres.start(home));
    }

    /** As the setting {@code DATABASE_URL} takes it. */
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
