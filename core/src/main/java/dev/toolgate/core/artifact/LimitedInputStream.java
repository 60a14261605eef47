package dev.toolgate.core.artifact;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends after a maximum number of bytes. */
public final class LimitedInputStream extends FilterInputStream {
    private long left;

    public LimitedInputStream(InputStream stream, long limit) {
        super(stream);
        this.left = limit;
    }

    @Override
    public int read() throws IOException {
        int single = left > 0 ? super.read() : -1;
        left -= single < 0 ? 0 : 1;
        return single;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left <= 0) {
            return length == 0 ? 0 : -1;
        }
        int read = super.read(into, offset, (int) Math.min(length, left));
        left -= Math.max(0, read);
        return read;
    }

    @Override
    public long skip(long wanted) throws IOException {
        long skipped = super.skip(Math.min(wanted, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(left, super.available());
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
