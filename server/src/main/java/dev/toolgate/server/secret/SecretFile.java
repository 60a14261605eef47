package dev.toolgate.server.secret;

import dev.toolgate.core.call.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files that hold one secret each. Read at every use, so that a secret that was changed counts at once. */
final class SecretFile {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
    private static final int MOST_BYTES = 64 * 1024;

    private final Set<Path> warned = ConcurrentHashMap.newKeySet();

    /**
     * The content without its last line end.
     *
     * @throws Unavailable if the file cannot be read or is too large to be a secret
     */
    String read(Path file, String name) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (IOException unreadable) {
            throw new Unavailable(
                    "The file with the secret " + name + " cannot be read; check that it is there and readable by the"
                            + " server.",
                    unreadable);
        }
        if (bytes.length > MOST_BYTES) {
            throw new Unavailable("The file with the secret " + name + " is larger than 64 KB.", null);
        }
        warnOfReaders(file, name);
        return new String(bytes, StandardCharsets.UTF_8).replaceFirst("\\R$", "");
    }

    // A warning and no more: files of orchestrators and key stores are often open to a group on purpose.
    private void warnOfReaders(Path file, String name) {
        try {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ) && warned.add(file)) {
                LOG.warn("Every account of this machine can read the file with the secret {}: {}", name, file);
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            LOG.debug("The permissions of {} cannot be looked up", file, unknown);
        }
    }
}
