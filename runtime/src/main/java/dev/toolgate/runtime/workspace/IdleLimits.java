package dev.toolgate.runtime.workspace;

import java.time.Duration;

/**
 * When a workspace that no call uses is closed.
 *
 * @param maxIdle how many stay open unused; beyond that the one unused for longest is closed
 * @param idleTimeout how long one stays open unused
 */
public record IdleLimits(int maxIdle, Duration idleTimeout) {
    public IdleLimits {
        if (maxIdle < 0 || !idleTimeout.isPositive()) {
            throw new IllegalArgumentException("maxIdle must not be negative, and idleTimeout must be positive.");
        }
    }

    /** Longer than sandboxes are kept that were started ahead, so what is closed is seldom missed. */
    public static IdleLimits standard() {
        return new IdleLimits(64, Duration.ofMinutes(10));
    }
}
