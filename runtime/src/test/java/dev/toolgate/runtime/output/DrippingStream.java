package dev.toolgate.runtime.output;

import java.io.InputStream;
import java.util.Random;

/** A stream that delivers bytes in chunks of random small sizes, like a pipe. */
final class DrippingStream extends InputStream {
    private final byte[] bytes;
    private final Random random;
    private int at;

    DrippingStream(byte[] bytes, long seed) {
        this.bytes = bytes;
        this.random = new Random(seed);
    }

    @Override
    public int read() {
        return at == bytes.length ? -1 : bytes[at++] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (at == bytes.length) {
            return -1;
        }
        int piece = Math.min(Math.min(length, 1 + random.nextInt(9)), bytes.length - at);
        System.arraycopy(bytes, at, target, offset, piece);
        at += piece;
        return piece;
    }
}
