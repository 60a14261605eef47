package dev.toolgate.runtime.sandbox.command;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder for the temporary files of one command, removed with it. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    public TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("toolgate-").toRealPath();
    }

    /** Where it is; an absolute, real path. */
    public Path path() {
        return path;
    }

    /** Makes an account its owner. */
    public void giveTo(int uid, int gid) throws IOException {
        Files.setAttribute(path, "unix:uid", uid);
        Files.setAttribute(path, "unix:gid", gid);
    }

    /** Removes what can be removed. Links are removed, not followed; nothing of the command is alive to race with. */
    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removing());
        } catch (IOException left) {
            // A folder the command has locked itself out of stays until the system clears its temporary files.
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
