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

/** Reads files with one secret each, at every use, so that a changed secret takes effect at once. */
final class SecretFile {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
    private static final int MAX_BYTES = 64 * 1024;

    private final Set<Path> warned = ConcurrentHashMap.newKeySet();

    /**
     * The content without a trailing line end.
     *
     * @throws Unavailable if the file cannot be read or is too large
     */
    String read(Path file, String name) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException unreadable) {
            throw new Unavailable(
                    "The file with the secret " + name
                            + " cannot be read; check that it exists and is readable by the server.",
                    unreadable);
        }
        if (bytes.length > MAX_BYTES) {
            throw new Unavailable(
                    "The file with the secret " + name + " is larger than 64 KB; check that it is the right file.",
                    null);
        }
        warnOfReaders(file, name);
        return new String(bytes, StandardCharsets.UTF_8).replaceFirst("\\R$", "");
    }

    // Only a warning: secret files of orchestrators are often readable by a group on purpose.
    private void warnOfReaders(Path file, String name) {
        try {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ) && warned.add(file)) {
                LOG.warn("The file with the secret {} is readable by every user of this machine: {}", name, file);
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            LOG.debug("The permissions of {} cannot be read", file, unknown);
        }
    }
}
