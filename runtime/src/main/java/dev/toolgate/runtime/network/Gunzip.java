package dev.toolgate.runtime.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip up to a size limit. {@link java.util.zip.GZIPInputStream} recurses once per member, so that many
 * empty members overflow the stack.
 */
final class Gunzip {
    private static final int FIXED_HEADER = 10;
    private static final int TRAILER = 8;
    private static final int HAS_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private final byte[] packed;
    private final int maxBytes;
    private final ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    private int at;

    private Gunzip(byte[] packed, int maxBytes) {
        this.packed = packed;
        this.maxBytes = maxBytes;
    }

    /** The content of all members, one after the other. */
    static byte[] unpack(byte[] packed, int maxBytes) throws IOException {
        return new Gunzip(packed, maxBytes).unpackAll();
    }

    private byte[] unpackAll() throws IOException {
        try (Inflater inflater = new Inflater(true)) {
            while (at < packed.length) {
                skipHeader();
                inflater.reset();
                inflater.setInput(packed, at, packed.length - at);
                inflate(inflater);
                at = packed.length - inflater.getRemaining() + TRAILER;
            }
            return unpacked.toByteArray();
        } catch (DataFormatException | IndexOutOfBoundsException damaged) {
            throw new ZipException("The gzip data is damaged");
        }
    }

    private void inflate(Inflater inflater) throws DataFormatException, IOException {
        byte[] buffer = new byte[16 * 1024];
        while (!inflater.finished()) {
            int count = inflater.inflate(buffer);
            if (count == 0 && !inflater.finished()) {
                throw new DataFormatException("The data ends within a member");
            }
            if (unpacked.size() + count > maxBytes) {
                throw new CappedStream.TooLarge();
            }
            unpacked.write(buffer, 0, count);
        }
    }

    private void skipHeader() throws DataFormatException {
        if (packed[at] != 0x1F || packed[at + 1] != (byte) 0x8B || packed[at + 2] != 8) {
            throw new DataFormatException("This is not gzip");
        }
        int flags = packed[at + 3];
        at += FIXED_HEADER;
        if ((flags & HAS_EXTRA) != 0) {
            at += 2 + (packed[at] & 0xFF) + ((packed[at + 1] & 0xFF) << 8);
        }
        if ((flags & HAS_NAME) != 0) {
            skipText();
        }
        if ((flags & HAS_COMMENT) != 0) {
            skipText();
        }
        if ((flags & HAS_CHECKSUM) != 0) {
            at += 2;
        }
    }

    private void skipText() {
        while (packed[at++] != 0) {
            // the text is ignored
        }
    }
}
