package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Artifact;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads output of any length in constant memory: keeps its beginning and its end for the text,
 * spools the whole for an artifact, and tells a listener about every piece. One thread reads; any
 * other may ask for what has arrived so far.
 */
public final class OutputCapture implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputCapture.class);
    private static final int PIECE_BYTES = 64 * 1024;

    private final Consumer<String> listener;
    private final Utf8Pieces pieces = new Utf8Pieces();
    private final KeptEnds ends;
    private final Spool spool;
    private boolean closed;
    private boolean deaf; // of the reading thread alone

    /**
     * @param maxTextBytes the largest limit that {@link #text} will be asked for
     * @param listener gets every piece of text, whole characters only, from the reading thread
     */
    public OutputCapture(int maxTextBytes, SpoolFolder folder, Consumer<String> listener) {
        this.ends = new KeptEnds(maxTextBytes);
        this.spool = folder.begin();
        this.listener = listener;
    }

    /** Reads to the end of the stream, or until somebody closes the stream. */
    public void readAll(InputStream stream) {
        byte[] buffer = new byte[PIECE_BYTES];
        try {
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                pass(take(buffer, read));
            }
        } catch (IOException gone) {
            // The other side went away or the stream was closed: what has arrived is all there is.
        }
        pass(takeEnd());
    }

    /** The text so far, or its head and tail with a marker between them, in at most this many bytes. */
    public synchronized String text(int maxBytes) {
        return ends.fit(maxBytes);
    }

    /** How many bytes the whole text has in UTF-8. */
    public synchronized long textBytes() {
        return ends.size();
    }

    /** How many bytes have been read. */
    public synchronized long bytes() {
        return spool.seen();
    }

    /** How many of the bytes read the artifact holds; fewer than {@link #bytes} if its limit ended it. */
    public synchronized long spooledBytes() {
        return spool.kept();
    }

    /**
     * The whole output as an artifact, where the rule asks for one; ask once, when all is read. Its
     * file then belongs to the artifact.
     */
    public synchronized Optional<Artifact> artifact(ArtifactRule rule, String name) throws IOException {
        if (spool.kept() <= ArtifactRule.THRESHOLD_BYTES) {
            return Optional.empty();
        }
        return spool.take().flatMap(content -> rule.extract(name, content));
    }

    /** Forgets everything and removes the file, unless it has become an artifact. */
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
        return keep(pieces.next(bytes, length));
    }

    private synchronized String takeEnd() {
        return closed ? "" : keep(pieces.end());
    }

    private String keep(String text) {
        ends.append(text);
        return text;
    }

    // Outside the lock: a listener that takes its time must not keep anybody from the text.
    private void pass(String text) {
        if (!text.isEmpty() && !deaf) {
            try {
                listener.accept(text);
            } catch (RuntimeException broken) {
                // Reading goes on: a command whose output nobody reads would stand still.
                LOG.warn("A listener broke and will hear no more of this output", broken);
                deaf = true;
            }
        }
    }
}
