package dev.toolgate.core.artifact;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Bytes on their way to the store, for as long as there is room for them. */
final class MeteredStream extends FilterInputStream {
    private final Rooms.Room room;
    private long seen;

    MeteredStream(InputStream bytes, Rooms.Room room) {
        super(bytes);
        this.room = room;
    }

    @Override
    public int read() throws IOException {
        int single = super.read();
        if (single >= 0) {
            room.reach(++seen);
        }
        return single;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        if (read > 0) {
            seen += read;
            room.reach(seen);
        }
        return read;
    }

    @Override
    public long skip(long bytes) {
        return 0; // what is skipped would not be counted
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
