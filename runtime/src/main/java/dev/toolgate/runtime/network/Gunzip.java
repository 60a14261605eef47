package dev.toolgate.runtime.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip up to a limit. The stream that comes with Java calls itself once for every member, so
 * that a row of empty ones overflows the stack.
 */
final class Gunzip {
    private static final int FIXED_HEADER = 10;
    private static final int TRAILER = 8;
    private static final int HAS_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private final byte[] packed;
    private final int mostBytes;
    private final ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    private int at;

    private Gunzip(byte[] packed, int mostBytes) {
        this.packed = packed;
        this.mostBytes = mostBytes;
    }

    /** The content of all members, one after the other. */
    static byte[] unpack(byte[] packed, int mostBytes) throws IOException {
        return new Gunzip(packed, mostBytes).unpackAll();
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
                throw new DataFormatException("The data ends too early");
            }
            if (unpacked.size() + count > mostBytes) {
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
            // the text does not matter
        }
    }
}
