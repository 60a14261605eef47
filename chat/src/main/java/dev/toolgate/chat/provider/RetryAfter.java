package dev.toolgate.chat.provider;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header in both its forms: seconds, and a date. */
final class RetryAfter {
    private static final Duration LONGEST = Duration.ofDays(1);

    private RetryAfter() {}

    /** How long to wait; {@code null} if the header says nothing that can be understood. */
    static @Nullable Duration parse(String header, InstantSource clock) {
        String value = header.strip();
        try {
            Duration wait = value.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Duration.ofSeconds(Long.parseLong(value))
                    : Duration.between(
                            clock.instant(), Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value)));
            return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
        } catch (DateTimeException | NumberFormatException | ArithmeticException notUnderstood) {
            return null;
        }
    }
}
