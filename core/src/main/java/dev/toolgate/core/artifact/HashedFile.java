package dev.toolgate.core.artifact;

import dev.toolgate.core.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.util.HexFormat;

/** The hash and size of a file. */
public record HashedFile(String sha256, long size) {
    private static final int BUFFER = 64 << 10;

    /** Writes bytes to an existing file. */
    public static HashedFile write(InputStream bytes, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            DigestInputStream digesting = new DigestInputStream(bytes, Sha256.fresh());
            long size = copy(digesting, Channels.newOutputStream(channel));
            return new HashedFile(
                    HexFormat.of().formatHex(digesting.getMessageDigest().digest()), size);
        }
    }

    /** Reads a file. */
    public static HashedFile read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            DigestOutputStream digesting = new DigestOutputStream(OutputStream.nullOutputStream(), Sha256.fresh());
            long size = copy(Channels.newInputStream(channel), digesting);
            return new HashedFile(
                    HexFormat.of().formatHex(digesting.getMessageDigest().digest()), size);
        }
    }

    private static long copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long size = 0;
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            size += read;
        }
        return size;
    }
}
