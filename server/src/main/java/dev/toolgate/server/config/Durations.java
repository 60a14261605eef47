package dev.toolgate.server.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations such as {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 365d}. */
final class Durations {
    static final String PATTERN = "(\\d{1,9})(ms|s|m|h|d)";
    private static final Pattern DURATION = Pattern.compile(PATTERN);

    private Durations() {}

    static Duration parse(String text) {
        Matcher duration = DURATION.matcher(text);
        if (!duration.matches()) {
            throw new IllegalArgumentException("must be a duration such as 30s");
        }
        long number = Long.parseLong(duration.group(1));
        return switch (duration.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
