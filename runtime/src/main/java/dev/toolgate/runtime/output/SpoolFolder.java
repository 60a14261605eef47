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
 * Where output waits in files until it is stored or thrown away. Files that an ended process left
 * behind are removed when the folder is opened again.
 */
public final class SpoolFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolFolder.class);
    private static final String SUFFIX = ".spool";

    // No command runs longer than eleven minutes, so a file untouched for an hour belongs to nobody.
    private static final Duration ABANDONED = Duration.ofHours(1);

    /** The usual limit for one spooled output. */
    public static final long USUAL_MAX_BYTES = 100L * 1024 * 1024;

    private final Path folder;
    private final long maxBytes;

    private SpoolFolder(Path folder, long maxBytes) {
        this.folder = folder;
        this.maxBytes = maxBytes;
    }

    /** Opens the folder, creating it if need be, for outputs of the usual size. */
    public static SpoolFolder open(Path folder) throws IOException {
        return open(folder, USUAL_MAX_BYTES);
    }

    /**
     * Opens the folder, creating it if need be.
     *
     * @param maxBytes how much of one output is kept at most
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

    /** A spool for one output; no file exists before there is enough to put into it. */
    Spool begin() {
        return new Spool(this, maxBytes);
    }

    Path newFile() throws IOException {
        return Files.createTempFile(folder, "output-", SUFFIX);
    }

    /** Removes files that nobody has touched for so long that nobody is going to. */
    void removeAbandoned() throws IOException {
        Instant before = Instant.now().minus(ABANDONED);
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
            LOG.warn("A spool file stays behind until the next start: {}", file, busy);
        }
    }
}
