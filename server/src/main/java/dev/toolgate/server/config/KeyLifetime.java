package dev.toolgate.server.config;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a new key is valid.
 *
 * @param length {@code null} if it never expires
 */
public record KeyLifetime(@Nullable Duration length) {
    /** The value for a key that never expires. */
    public static final String NEVER = "never";

    static final String PATTERN = "(" + Durations.PATTERN + "|" + NEVER + ")";
    static final String MUST = "must be a duration such as 90d, or never";

    public KeyLifetime {
        if (length != null && !length.isPositive()) {
            throw new IllegalArgumentException(MUST);
        }
    }

    static KeyLifetime parse(String text) {
        if (text.equals(NEVER)) {
            return new KeyLifetime(null);
        }
        try {
            return new KeyLifetime(Durations.parse(text));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(MUST, wrong);
        }
    }

    /** When a key created now expires; {@code null} if never. */
    public @Nullable Instant from(Instant now) {
        return length == null ? null : now.plus(length);
    }
}
