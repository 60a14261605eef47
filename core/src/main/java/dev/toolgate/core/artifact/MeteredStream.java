package dev.toolgate.core.artifact;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts an upload against its reservation while it is read. */
final class MeteredStream extends FilterInputStream {
    private final QuotaReservations.Reservation reservation;
    private long seen;

    MeteredStream(InputStream bytes, QuotaReservations.Reservation reservation) {
        super(bytes);
        this.reservation = reservation;
    }

    @Override
    public int read() throws IOException {
        int single = super.read();
        if (single >= 0) {
            reservation.growTo(++seen);
        }
        return single;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        if (read > 0) {
            seen += read;
            reservation.growTo(seen);
        }
        return read;
    }

    @Override
    public long skip(long bytes) {
        return 0; // skipped bytes would not be counted
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
