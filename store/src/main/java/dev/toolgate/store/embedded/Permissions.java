package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates files and folders with exact permissions, independent of the umask; on Windows with default permissions. */
final class Permissions {
    private Permissions() {}

    static void set(Path path, String permissions) throws IOException {
        if (!PostgresPrograms.onWindows()) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    /** Creates a folder and its parents; existing folders keep their permissions, also those another process creates now. */
    static Path folder(Path folder, String permissions) throws IOException {
        if (!Files.isDirectory(folder)) {
            Path parent = folder.getParent();
            if (parent != null) {
                folder(parent, permissions);
            }
            create(folder, permissions);
        }
        return folder;
    }

    private static void create(Path folder, String permissions) throws IOException {
        try {
            Files.createDirectory(folder, ownerOnly("rwx------"));
        } catch (FileAlreadyExistsException another) {
            if (!Files.isDirectory(folder)) {
                throw another;
            }
            return;
        }
        set(folder, permissions);
    }

    /** Writes a file atomically, and never with wider permissions than requested. */
    static void write(Path file, String text, String permissions) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (SeekableByteChannel channel = Files.newByteChannel(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SYNC),
                ownerOnly("rw-------"))) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        set(draft, permissions);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Flushes a file or a folder to disk; not possible on Windows for something opened for reading. */
    static void flush(Path path) throws IOException {
        if (!PostgresPrograms.onWindows()) {
            try (FileChannel channel = FileChannel.open(path)) {
                channel.force(true);
            }
        }
    }

    /** Deletes a folder recursively, without following links. */
    static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException failed) throws IOException {
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return PostgresPrograms.onWindows()
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                };
    }
}
