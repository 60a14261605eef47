package dev.toolgate.core.call;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of an artifact: small ones in memory, large ones in a file. */
public sealed interface Content {

    /** How many bytes there are. */
    long size();

    /** Opens the bytes for reading. */
    InputStream open() throws IOException;

    /** Lets go of a file that nobody is going to store. */
    default void discard() throws IOException {
        // Only a file has to be removed.
    }

    static Content of(String text) {
        return new InMemory(text.getBytes(StandardCharsets.UTF_8));
    }

    static Content of(byte[] bytes) {
        return new InMemory(bytes.clone());
    }

    /** Content that is already in a file of ours; whoever stores it may move the file away. */
    static Content in(Path file, long size) {
        return new InFile(file, size);
    }

    /** Content that the artifact store has and opens when asked. */
    static Content from(long size, Source source) {
        return new Supplied(size, source);
    }

    /** Content that is not at hand; whoever wants it asks the artifact store for it. */
    static Content elsewhere(long size) {
        return new Elsewhere(size);
    }

    /** Opens bytes. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    /** Bytes that are opened where they are kept. */
    record Supplied(long size, Source source) implements Content {
        @Override
        public InputStream open() throws IOException {
            return source.open();
        }
    }

    /** Bytes that somebody else keeps. */
    record Elsewhere(long size) implements Content {
        @Override
        public InputStream open() throws IOException {
            throw new IOException("The content is kept in the artifact store; ask for it by its URI.");
        }
    }

    /** Bytes held in memory. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
    record InMemory(byte[] bytes) implements Content {
        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(bytes);
        }
    }

    /** Bytes held in a file. */
    record InFile(Path file, long size) implements Content {
        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(file);
        }

        @Override
        public void discard() throws IOException {
            Files.deleteIfExists(file);
        }
    }
}
