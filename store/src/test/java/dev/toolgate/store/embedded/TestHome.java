package dev.toolgate.store.embedded;

import dev.toolgate.store.Folders;
import dev.toolgate.store.SharedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A home folder that the database account can enter, with programs that are already unpacked. */
final class TestHome implements AutoCloseable {
    final Path path;

    TestHome() throws IOException {
        SharedPostgres.server();
        path = Files.createTempDirectory("toolgate-home-").toRealPath();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(
                path.resolve("postgres"),
                SharedPostgres.home().resolve("postgres").toRealPath());
    }

    Path data() {
        return path.resolve("data");
    }

    @Override
    public void close() throws IOException {
        Folders.delete(path);
    }
}
