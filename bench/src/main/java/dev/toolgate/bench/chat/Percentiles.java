package dev.toolgate.bench.chat;

import java.util.Arrays;

/** Percentiles of durations. */
final class Percentiles {
    private final long[] nanos;

    Percentiles(long[] nanos) {
        this.nanos = nanos.clone();
        Arrays.sort(this.nanos);
    }

    /** The given percentile in milliseconds. */
    double millis(double percent) {
        return nanos[(int) Math.min(nanos.length - 1L, (long) (nanos.length * percent / 100))] / 1e6;
    }
}
