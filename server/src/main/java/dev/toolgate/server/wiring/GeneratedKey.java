package dev.toolgate.server.wiring;

import dev.toolgate.core.file.NewFile;
import dev.toolgate.server.config.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A key of this installation: from its setting, or else generated once in the data folder. */
final class GeneratedKey {
    /** The minimum length of a key, in characters. */
    static final int MIN_LENGTH = 32;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private GeneratedKey() {}

    /**
     * @param file the file of a generated key
     * @param ifLost the consequence of replacing it, as part of the error message
     * @throws IOException if the file is invalid
     */
    static String of(@Nullable Secret setting, Path file, String ifLost) throws IOException {
        return setting == null ? kept(file, ifLost) : setting.value();
    }

    private static String kept(Path file, String ifLost) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            make(file);
        }
        String key = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? Files.readString(file, StandardCharsets.ISO_8859_1).strip()
                : "";
        if (key.length() < MIN_LENGTH) {
            throw new IOException(
                    file + " does not contain a key; delete it and restart to get a new one, " + ifLost + ".");
        }
        return key;
    }

    private static void make(Path file) throws IOException {
        byte[] random = new byte[MIN_LENGTH];
        new SecureRandom().nextBytes(random);
        byte[] text = (Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        // If another server has created it in the meantime, that one's key is used.
        boolean _ = NewFile.create(file, text, OWNER_ONLY);
    }
}
