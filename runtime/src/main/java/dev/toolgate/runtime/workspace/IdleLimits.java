package dev.toolgate.runtime.workspace;

import java.time.Duration;

/**
 * When unused workspaces are closed.
 *
 * @param maxIdle how many unused workspaces stay open; beyond that the one idle for longest is closed
 * @param idleTimeout how long an unused workspace stays open
 */
public record IdleLimits(int maxIdle, Duration idleTimeout) {
    public IdleLimits {
        if (maxIdle < 0 || !idleTimeout.isPositive()) {
            throw new IllegalArgumentException("maxIdle must not be negative, and idleTimeout must be positive.");
        }
    }

    /** Longer than prepared sandboxes are kept, so a closed workspace is rarely needed again soon. */
    public static IdleLimits standard() {
        return new IdleLimits(64, Duration.ofMinutes(10));
    }
}
