package dev.toolgate.mcp.client.transport;

import java.time.Duration;

/**
 * How long a call may take.
 *
 * @param idle how long the call waits for the answer; restarts with every progress notification
 * @param max how long it waits in total, regardless of progress
 */
public record CallTimeout(Duration idle, Duration max) {
    /** A minute without progress, at most ten minutes. */
    public static final CallTimeout DEFAULT = new CallTimeout(Duration.ofMinutes(1), Duration.ofMinutes(10));

    /** For streams that stay open until they are closed. */
    public static final CallTimeout NONE = new CallTimeout(Duration.ofDays(10_000), Duration.ofDays(10_000));

    public CallTimeout {
        if (!idle.isPositive() || max.compareTo(idle) < 0) {
            throw new IllegalArgumentException("A call needs a positive timeout, and its maximum cannot be shorter.");
        }
    }

    /** The same time with and without progress. */
    public static CallTimeout of(Duration timeout) {
        return new CallTimeout(timeout, timeout);
    }
}
