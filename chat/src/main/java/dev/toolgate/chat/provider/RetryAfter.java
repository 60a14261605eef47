package dev.toolgate.chat.provider;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Parses the {@code Retry-After} header: seconds or a date. */
final class RetryAfter {
    private static final Duration MAX_WAIT = Duration.ofDays(1);

    private RetryAfter() {}

    /** How long to wait; {@code null} if the header is malformed. */
    static @Nullable Duration parse(String header, InstantSource clock) {
        String value = header.strip();
        try {
            Duration wait = value.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Duration.ofSeconds(Long.parseLong(value))
                    : Duration.between(
                            clock.instant(), Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value)));
            return wait.isNegative() ? Duration.ZERO : wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
        } catch (DateTimeException | NumberFormatException | ArithmeticException notUnderstood) {
            return null;
        }
    }
}
