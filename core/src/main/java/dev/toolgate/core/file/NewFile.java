package dev.toolgate.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates a file that other processes may create at the same time: it appears with its whole content, and never
 * replaces another one.
 */
public final class NewFile {
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private NewFile() {}

    /**
     * Creates a file in an existing folder.
     *
     * @param permissions where the file system has them; never more, not even at first
     * @return false if it exists, perhaps because another process has created it at the same time
     */
    public static boolean create(Path file, byte[] content, Set<PosixFilePermission> permissions) throws IOException {
        Path draft = sibling(file, "." + UUID.randomUUID());
        try {
            write(draft, content, permissions, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.createLink(file, draft);
            return true;
        } catch (FileAlreadyExistsException exists) {
            return false;
        } catch (UnsupportedOperationException | FileSystemException noHardLinks) {
            return createByRename(file, content, permissions, CLAIM_TIMEOUT);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /**
     * Without hard links: renaming replaces a file, so only the process that has created the draft of a fixed name may
     * rename it.
     *
     * @param timeout how long to wait for another process that has the draft
     */
    static boolean createByRename(Path file, byte[] content, Set<PosixFilePermission> permissions, Duration timeout)
            throws IOException {
        Path draft = sibling(file, ".new");
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!exists(file)) {
            try {
                FileChannel.open(draft, NEW, attributes(draft, permissions)).close();
            } catch (FileAlreadyExistsException another) {
                await(draft, deadline);
                continue;
            }
            return isRenamed(draft, file, content, permissions);
        }
        return false;
    }

    /** Writes and renames the draft, which this process has created. */
    private static boolean isRenamed(Path draft, Path file, byte[] content, Set<PosixFilePermission> permissions)
            throws IOException {
        boolean renamed = false;
        try {
            if (!exists(file)) { // otherwise created by a process that had the draft before
                write(draft, content, permissions, StandardOpenOption.WRITE);
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                renamed = true;
            }
            return renamed;
        } finally {
            if (!renamed) {
                Files.deleteIfExists(draft);
            }
        }
    }

    private static void await(Path draft, long deadline) throws IOException {
        if (System.nanoTime() > deadline) {
            throw new IOException(draft + " is left from an interrupted start; delete it and restart.");
        }
        LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("Interrupted while another process has " + draft + ".");
        }
    }

    private static void write(
            Path draft, byte[] content, Set<PosixFilePermission> permissions, StandardOpenOption... options)
            throws IOException {
        try (FileChannel channel = FileChannel.open(draft, Set.of(options), attributes(draft, permissions))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        PosixFileAttributeView modes = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (modes != null && !permissions.equals(modes.readAttributes().permissions())) {
            addWhatUmaskRemoved(modes, permissions);
        }
    }

    private static void addWhatUmaskRemoved(PosixFileAttributeView modes, Set<PosixFilePermission> permissions)
            throws IOException {
        try {
            modes.setPermissions(permissions);
        } catch (FileSystemException fixed) {
            // Some mounts give all files the same mode.
        }
    }

    private static Path sibling(Path file, String suffix) {
        return file.toAbsolutePath().resolveSibling(file.getFileName() + suffix);
    }

    private static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static FileAttribute<?>[] attributes(Path file, Set<PosixFilePermission> permissions) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
