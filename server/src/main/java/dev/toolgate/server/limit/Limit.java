package dev.toolgate.server.limit;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import java.time.Duration;

/**
 * How often something may happen.
 *
 * @param calls so many calls in every period, spread evenly over it
 * @param burst so many at once after a quiet time
 */
public record Limit(long calls, Duration period, long burst) {
    static final long MOST = 1_000_000;
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(31);

    public Limit {
        if (calls < 1 || calls > MOST || burst < 1 || burst > MOST) {
            throw new IllegalArgumentException("A limit needs 1 to " + MOST + " calls, and as many at once.");
        }
        if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The period of a limit must be 100 milliseconds to 31 days.");
        }
    }

    /** So many calls in every period, all of them at once if need be. */
    public static Limit of(long calls, Duration period) {
        return new Limit(calls, period, calls);
    }

    /** The limit in short, as a part of a key. */
    String terms() {
        return calls + "/" + period + "/" + burst;
    }

    /** How long an unused bucket takes to be as good as new. */
    Duration untilFull() {
        return period.multipliedBy(burst / calls + 1);
    }

    BucketConfiguration configuration() {
        return BucketConfiguration.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(burst)
                        .refillGreedy(calls, period)
                        .build())
                .build();
    }
}
