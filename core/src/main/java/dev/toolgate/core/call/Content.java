package dev.toolgate.core.call;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of an artifact, in memory, in a file or in the artifact store. */
public sealed interface Content {

    /** How many bytes there are. */
    long size();

    /** Opens the bytes for reading. */
    InputStream open() throws IOException;

    /** Deletes the underlying file if it is not going to be stored. */
    default void discard() throws IOException {
        // Only files need deleting.
    }

    static Content of(String text) {
        return new InMemory(text.getBytes(StandardCharsets.UTF_8));
    }

    static Content of(byte[] bytes) {
        return new InMemory(bytes.clone());
    }

    /** Content in a file that belongs to the gate; storing it may move the file. */
    static Content in(Path file, long size) {
        return new InFile(file, size);
    }

    /** Content that is opened on demand. */
    static Content from(long size, Source source) {
        return new Supplied(size, source);
    }

    /** Content that must be fetched from the artifact store. */
    static Content inStore(long size) {
        return new InStore(size);
    }

    /** Opens bytes. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    /** Bytes opened on demand. */
    record Supplied(long size, Source source) implements Content {
        @Override
        public InputStream open() throws IOException {
            return source.open();
        }
    }

    /** Bytes that must be fetched from the artifact store. */
    record InStore(long size) implements Content {
        @Override
        public InputStream open() throws IOException {
            throw new IOException("The content is kept in the artifact store; ask for it by its URI.");
        }
    }

    /** Bytes in memory. */
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

    /** Bytes in a file. */
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
