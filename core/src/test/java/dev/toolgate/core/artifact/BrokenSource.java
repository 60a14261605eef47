package dev.toolgate.core.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A stream that fails after some bytes. */
public final class BrokenSource extends InputStream {
    private long left;

    public BrokenSource(long bytes) {
        left = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0];
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left <= 0) {
            throw new IOException("the line is cut");
        }
        int some = (int) Math.min(left, length);
        Arrays.fill(into, offset, offset + some, (byte) 'x');
        left -= some;
        return some;
    }
}
