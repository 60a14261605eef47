package dev.toolgate.core.artifact;

import java.io.IOException;
import java.io.InputStream;

/** An artifact with access to its bytes. */
public record FoundArtifact(StoredArtifact facts, Opener opener) {

    /** Opens a range of the bytes. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a range; the caller closes the stream.
         *
         * @throws java.nio.file.NoSuchFileException if they have been deleted in the meantime
         */
        InputStream open(ByteRange range) throws IOException;
    }

    /** Opens these bytes. */
    public InputStream open(ByteRange range) throws IOException {
        return opener.open(range);
    }

    /** Opens all bytes. */
    public InputStream open() throws IOException {
        return open(ByteRange.whole(facts.size()));
    }
}
