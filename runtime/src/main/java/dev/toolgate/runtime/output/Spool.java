package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Content;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores one output byte for byte up to a limit: in memory while it is small, in a file once it is large enough for an
 * artifact. A full disk ends the spool, not the command.
 */
final class Spool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    private final SpoolFolder folder;
    private final long maxBytes;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream();
    private @Nullable Path file;
    private @Nullable OutputStream out;
    private long kept;
    private long seen;
    private boolean broken;

    Spool(SpoolFolder folder, long maxBytes) {
        this.folder = folder;
        this.maxBytes = maxBytes;
    }

    void write(byte[] bytes, int length) {
        seen += length;
        if (file == null && seen <= ArtifactRule.THRESHOLD_BYTES) {
            small.write(bytes, 0, length);
            return;
        }
        try {
            keep(bytes, length);
        } catch (IOException full) {
            LOG.warn("Spooling output failed; the artifact will be incomplete", full);
            broken = true;
        }
    }

    private void keep(byte[] bytes, int length) throws IOException {
        if (broken) {
            return;
        }
        if (out == null) {
            file = folder.newFile();
            out = Files.newOutputStream(file);
            append(small.toByteArray(), small.size());
            small.reset();
        }
        append(bytes, length);
    }

    private void append(byte[] bytes, int length) throws IOException {
        int fitting = (int) Math.min(length, maxBytes - kept);
        if (out != null && fitting > 0) {
            out.write(bytes, 0, fitting);
            kept += fitting;
        }
    }

    /** How many bytes were written to the spool. */
    long seen() {
        return seen;
    }

    /** How many of them were kept; fewer if the limit was reached or the disk is full. */
    long kept() {
        return kept + small.size();
    }

    /**
     * The whole output, if it was large enough for a file. The caller then owns the file; a truncated one ends with a
     * note.
     */
    Optional<Content> take() throws IOException {
        Path taken = file;
        OutputStream stream = out;
        if (taken == null || stream == null) {
            return Optional.empty();
        }
        try (stream) {
            if (kept < seen && !broken) {
                stream.write(("\n[... cut: the first " + kept + " of " + seen + " bytes are kept ...]\n")
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        Content whole = Content.in(taken, Files.size(taken));
        file = null;
        out = null;
        return Optional.of(whole);
    }

    /** Removes the file, unless it has been taken. */
    @Override
    public void close() {
        OutputStream stream = out;
        if (stream != null) {
            try (stream) {
                out = null;
            } catch (IOException unflushed) {
                LOG.debug("A discarded spool could not be closed", unflushed);
            }
        }
        if (file != null) {
            SpoolFolder.remove(file);
            file = null;
        }
    }
}
