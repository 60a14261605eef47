package dev.toolgate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Too many calls, after all retries. */
public final class RateLimitedException extends ToolgateException {
    private final @Nullable Duration retryAfter;

    RateLimitedException(
            String code,
            String message,
            String remediation,
            boolean retryable,
            @Nullable String correlationId,
            @Nullable Duration retryAfter) {
        super(code, message, remediation, retryable, correlationId);
        this.retryAfter = retryAfter;
    }

    /** How long to wait; null if the gate did not say. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
