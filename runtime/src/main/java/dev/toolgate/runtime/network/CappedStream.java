package dev.toolgate.runtime.network;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that fails after a maximum number of bytes. */
final class CappedStream extends FilterInputStream {
    private long left;

    CappedStream(InputStream in, long maxBytes) {
        super(in);
        this.left = maxBytes;
    }

    /** The stream exceeded its limit. */
    static final class TooLarge extends IOException {
        TooLarge() {
            super("The stream exceeds its byte limit");
        }
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        count(Math.max(read, 0));
        return read;
    }

    @Override
    public long skip(long wanted) throws IOException {
        long skipped = super.skip(wanted);
        count(skipped);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(long bytes) throws TooLarge {
        left -= bytes;
        if (left < 0) {
            throw new TooLarge();
        }
    }
}
