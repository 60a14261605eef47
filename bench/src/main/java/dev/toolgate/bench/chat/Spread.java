package dev.toolgate.bench.chat;

import java.util.Arrays;

/** Many durations, in order of length. */
final class Spread {
    private final long[] nanos;

    Spread(long[] nanos) {
        this.nanos = nanos.clone();
        Arrays.sort(this.nanos);
    }

    /** So long or shorter were this many of a hundred. */
    double millis(double percent) {
        return nanos[(int) Math.min(nanos.length - 1L, (long) (nanos.length * percent / 100))] / 1e6;
    }
}
