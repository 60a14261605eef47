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

/** A file with a key in it, which only its owner can read. */
final class KeyFile {
    private static final Logger LOG = LoggerFactory.getLogger(KeyFile.class);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int MOST_BYTES = 1024;

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
     * @throws IOException with one sentence that says what is wrong with it
     */
    Optional<String> read() throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a plain file; remove it and start again to get a new admin key.");
        }
        close();
        String key = Files.size(file) > MOST_BYTES
                ? ""
                : Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        if (!SecretText.API_KEY.isGenuine(key)) {
            throw new IOException(file + " does not hold a key; remove it and start again to get a new admin key.");
        }
        return Optional.of(key);
    }

    /** Writes a key, so that at every moment the file holds the former or the new one whole. */
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
     * Removes the file, if it holds a key; anything else of that name is not ours.
     *
     * @return whether there was one
     */
    boolean remove() throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || Files.size(file) > MOST_BYTES
                || !SecretText.API_KEY.isGenuine(
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

    private void close() throws IOException {
        if (!isPosix() || OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            return;
        }
        try {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        } catch (IOException notOurs) {
            throw new IOException(
                    file + " can be read by others and its mode cannot be changed; set it to 0600.", notOurs);
        }
        LOG.warn(
                "{} could be read by others; its mode is 0600 now. Revoke the key if somebody may have seen it.", file);
    }

    private boolean isPosix() {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
