package dev.toolgate.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** A data folder that is gone when it is closed. */
record TemporaryHome(Path path) implements AutoCloseable {

    TemporaryHome() throws IOException {
        this(Files.createTempDirectory("bench-load-"));
        // Open to the database's account, for a benchmark run by root.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
