package dev.toolgate.server.limit;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import java.time.Duration;

/**
 * A rate limit.
 *
 * @param calls the number of calls per period, refilled evenly over it
 * @param burst the maximum number of calls at once
 */
public record Limit(long calls, Duration period, long burst) {
    static final long MAX_CALLS = 1_000_000;
    private static final Duration MIN_PERIOD = Duration.ofMillis(100);
    private static final Duration MAX_PERIOD = Duration.ofDays(31);

    public Limit {
        if (calls < 1 || calls > MAX_CALLS || burst < 1 || burst > MAX_CALLS) {
            throw new IllegalArgumentException(
                    "A limit must allow 1 to " + MAX_CALLS + " calls per period and at once.");
        }
        if (period.compareTo(MIN_PERIOD) < 0 || period.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException("The period of a limit must be 100 milliseconds to 31 days.");
        }
    }

    /** A number of calls per period, all of which may come at once. */
    public static Limit of(long calls, Duration period) {
        return new Limit(calls, period, calls);
    }

    /** The limit as a text, for keys. */
    String terms() {
        return calls + "/" + period + "/" + burst;
    }

    /** How long an unused bucket takes to be full again. */
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
