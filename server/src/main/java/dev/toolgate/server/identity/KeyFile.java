package dev.toolgate.server.identity;

import dev.toolgate.store.identity.SecretText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A key file that only its owner can read. */
final class KeyFile {
    private static final Logger LOG = LoggerFactory.getLogger(KeyFile.class);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int MAX_BYTES = 1024;

    private final Path file;

    KeyFile(Path file) {
        this.file = file;
    }

    Path path() {
        return file;
    }

    /**
     * The key; empty if there is no such file.
     *
     * @throws IOException if the file is invalid
     */
    Optional<String> read() throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a regular file; delete it and restart to get a new admin key.");
        }
        restrictPermissions();
        String key = Files.size(file) > MAX_BYTES
                ? ""
                : Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        if (!SecretText.API_KEY.hasValidChecksum(key)) {
            throw new IOException(file + " does not contain a key; delete it and restart to get a new admin key.");
        }
        return Optional.of(key);
    }

    /** Writes a key atomically. */
    void write(String key) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path unfinished = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
        try {
            Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (FileChannel channel = FileChannel.open(unfinished, options, ownerOnly())) {
                ByteBuffer bytes = ByteBuffer.wrap((key + "\n").getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /**
     * Deletes the file if it contains a key; any other file of that name is left alone.
     *
     * @return whether it was deleted
     */
    boolean remove() throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || Files.size(file) > MAX_BYTES
                || !SecretText.API_KEY.hasValidChecksum(
                        Files.readString(file, StandardCharsets.ISO_8859_1).strip())) {
            return false;
        }
        Files.delete(file);
        return true;
    }

    private FileAttribute<?>[] ownerOnly() {
        return isPosix()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    private void restrictPermissions() throws IOException {
        if (!isPosix() || OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            return;
        }
        try {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        } catch (IOException notOurs) {
            throw new IOException(
                    file + " is readable by others and its mode cannot be changed; set it to 0600.", notOurs);
        }
        LOG.warn(
                "{} was readable by others and has been set to mode 0600; revoke the key if somebody may have read it",
                file);
    }

    private boolean isPosix() {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
