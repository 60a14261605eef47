package dev.toolgate.runtime.output;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for output files until they are stored or discarded. Files left behind by an ended process are removed when
 * the folder is opened again.
 */
public final class SpoolFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolFolder.class);
    private static final String SUFFIX = ".spool";

    // No command runs longer than eleven minutes, so a file not modified for an hour is abandoned.
    private static final Duration ABANDONED_AFTER = Duration.ofHours(1);

    /** The default limit for one spooled output. */
    public static final long DEFAULT_MAX_BYTES = 100L * 1024 * 1024;

    private final Path folder;
    private final long maxBytes;

    private SpoolFolder(Path folder, long maxBytes) {
        this.folder = folder;
        this.maxBytes = maxBytes;
    }

    /** Opens the folder with the default limit, creating it if necessary. */
    public static SpoolFolder open(Path folder) throws IOException {
        return open(folder, DEFAULT_MAX_BYTES);
    }

    /**
     * Opens the folder, creating it if necessary.
     *
     * @param maxBytes the maximum size kept of one output
     */
    public static SpoolFolder open(Path folder, long maxBytes) throws IOException {
        if (maxBytes <= ArtifactRule.THRESHOLD_BYTES) {
            throw new IllegalArgumentException(
                    "The limit of a spool must be larger than " + ArtifactRule.THRESHOLD_BYTES + " bytes.");
        }
        PrivateFolder.create(folder);
        SpoolFolder opened = new SpoolFolder(folder, maxBytes);
        opened.removeAbandoned();
        return opened;
    }

    /** A spool for one output; its file is created only when the output is large enough. */
    Spool begin() {
        return new Spool(this, maxBytes);
    }

    Path newFile() throws IOException {
        return Files.createTempFile(folder, "output-", SUFFIX);
    }

    /** Removes files that were not modified for a long time. */
    void removeAbandoned() throws IOException {
        Instant before = Instant.now().minus(ABANDONED_AFTER);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(before)) {
                    remove(file);
                }
            }
        }
    }

    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException busy) {
            LOG.warn("A spool file could not be removed and stays until the next start: {}", file, busy);
        }
    }
}
