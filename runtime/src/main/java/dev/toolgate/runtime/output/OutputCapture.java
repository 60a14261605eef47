package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Artifact;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads output of any length in constant memory: keeps head and tail for the text, spools everything for an artifact,
 * and passes each chunk to a listener. One thread reads; other threads may query what has arrived so far.
 */
public final class OutputCapture implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputCapture.class);
    private static final int PIECE_BYTES = 64 * 1024;

    private final Consumer<String> listener;
    private final Utf8StreamDecoder decoder = new Utf8StreamDecoder();
    private final HeadTailBuffer shown;
    private final Spool spool;
    private boolean closed;
    private boolean listenerFailed; // used by the reading thread only

    /**
     * @param maxTextBytes the largest limit that {@link #text} accepts
     * @param listener gets every chunk of text, whole characters only, on the reading thread
     */
    public OutputCapture(int maxTextBytes, SpoolFolder folder, Consumer<String> listener) {
        this.shown = new HeadTailBuffer(maxTextBytes);
        this.spool = folder.begin();
        this.listener = listener;
    }

    /** Reads until the stream ends or is closed. */
    public void readAll(InputStream stream) {
        byte[] buffer = new byte[PIECE_BYTES];
        try {
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                pass(take(buffer, read));
            }
        } catch (IOException gone) {
            // The process ended or the stream was closed; what has arrived is the output.
        }
        pass(takeEnd());
    }

    /** The text so far, or its head and tail with a marker between them, in at most this many bytes. */
    public synchronized String text(int maxBytes) {
        return shown.fit(maxBytes);
    }

    /** The size of the whole text in UTF-8 bytes. */
    public synchronized long textBytes() {
        return shown.size();
    }

    /** How many bytes have been read. */
    public synchronized long bytes() {
        return spool.seen();
    }

    /** How many bytes the artifact holds; fewer than {@link #bytes} if it was truncated. */
    public synchronized long spooledBytes() {
        return spool.kept();
    }

    /**
     * The whole output as an artifact, if the rule requires one. Call once, after all output was read; the file then
     * belongs to the artifact.
     */
    public synchronized Optional<Artifact> artifact(ArtifactRule rule, String name) throws IOException {
        if (spool.kept() <= ArtifactRule.THRESHOLD_BYTES) {
            return Optional.empty();
        }
        return spool.take().flatMap(content -> rule.extract(name, content));
    }

    /** Discards the output and removes the file, unless it became an artifact. */
    @Override
    public synchronized void close() {
        closed = true;
        spool.close();
    }

    private synchronized String take(byte[] bytes, int length) {
        if (closed) {
            return "";
        }
        spool.write(bytes, length);
        return keep(decoder.next(bytes, length));
    }

    private synchronized String takeEnd() {
        return closed ? "" : keep(decoder.end());
    }

    private String keep(String text) {
        shown.append(text);
        return text;
    }

    // Outside the lock, so that a slow listener does not block readers of the text.
    private void pass(String text) {
        if (!text.isEmpty() && !listenerFailed) {
            try {
                listener.accept(text);
            } catch (RuntimeException broken) {
                // Reading continues, because a command blocks when its output is not read.
                LOG.warn("An output listener failed and gets no more output", broken);
                listenerFailed = true;
            }
        }
    }
}
