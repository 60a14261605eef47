package dev.toolgate.runtime.sandbox.command;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder for the temporary files of one command, deleted when it ends. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    public TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("toolgate-").toRealPath();
    }

    /** The absolute, real path. */
    public Path path() {
        return path;
    }

    /** Makes an account its owner. */
    public void changeOwner(int uid, int gid) throws IOException {
        Files.setAttribute(path, "unix:uid", uid);
        Files.setAttribute(path, "unix:gid", gid);
    }

    /** Deletes what can be deleted, without following links; the command has ended, so nothing races with this. */
    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removing());
        } catch (IOException left) {
            // A folder without permissions stays until the system clears its temporary files.
        }
    }

    private static final class Removing extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
