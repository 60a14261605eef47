package dev.toolgate.server.wiring;

import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.server.config.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key of the digests of arguments: from the setting, else made once and kept in the data folder for its owner alone.
 * It is not in the database, because whoever can read the records there could try out what is masked in them.
 */
final class DigestKey {
    private static final String FILE = "digest.key";

    private DigestKey() {}

    /**
     * @throws IOException with one sentence that says what is wrong with the file
     */
    static KeyedDigest of(@Nullable Secret setting, Path home) throws IOException {
        String key = setting == null ? kept(home.resolve(FILE)) : setting.value();
        return new KeyedDigest(key.getBytes(StandardCharsets.UTF_8));
    }

    private static String kept(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            make(file);
        }
        String key = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? Files.readString(file, StandardCharsets.ISO_8859_1).strip()
                : "";
        if (key.length() < KeyedDigest.KEY_BYTES) {
            throw new IOException(
                    file + " does not hold a key; remove it and start again to get a new one, with which the"
                            + " digests of earlier records cannot be compared.");
        }
        return key;
    }

    private static void make(Path file) throws IOException {
        byte[] random = new byte[KeyedDigest.KEY_BYTES];
        new SecureRandom().nextBytes(random);
        byte[] text = (Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        Path unfinished = Files.createTempFile(file.toAbsolutePath().getParent(), FILE, ".new", ownerOnly(file));
        try (FileChannel channel = FileChannel.open(unfinished, Set.of(StandardOpenOption.WRITE))) {
            channel.write(ByteBuffer.wrap(text));
            channel.force(true);
            Files.createLink(file, unfinished); // fails if another server was first
        } catch (FileAlreadyExistsException another) {
            // Theirs is as good.
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
