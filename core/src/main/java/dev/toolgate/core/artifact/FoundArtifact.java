package dev.toolgate.core.artifact;

import java.io.IOException;
import java.io.InputStream;

/** An artifact that was asked for, ready to be read. */
public record FoundArtifact(StoredArtifact facts, Opening opening) {

    /** Opens some of the bytes. */
    @FunctionalInterface
    public interface Opening {
        /**
         * The bytes of a range, which whoever reads them closes.
         *
         * @throws java.nio.file.NoSuchFileException if they have been deleted in the meantime
         */
        InputStream open(ByteRange range) throws IOException;
    }

    /** Opens these bytes. */
    public InputStream open(ByteRange range) throws IOException {
        return opening.open(range);
    }

    /** Opens all bytes. */
    public InputStream open() throws IOException {
        return open(ByteRange.whole(facts.size()));
    }
}
