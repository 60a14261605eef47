package dev.toolgate.cli.terminal;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses times and durations of the command line; without a zone, in the local one. */
public final class Moment {
    private static final Pattern LENGTH = Pattern.compile("(\\d{1,6})([smhd])");

    private Moment() {}

    /**
     * A point in time, such as {@code 2026-12-31}, {@code 2026-12-31T18:00} or {@code 2026-12-31T17:00:00Z}.
     *
     * @throws WrongUsage if it is not a time
     */
    public static Instant parse(String text, Clock clock) {
        List<Function<String, Instant>> forms = List.of(
                Instant::parse,
                form -> OffsetDateTime.parse(form).toInstant(),
                form -> LocalDateTime.parse(form).atZone(clock.getZone()).toInstant(),
                form -> LocalDate.parse(form).atStartOfDay(clock.getZone()).toInstant());
        for (Function<String, Instant> form : forms) {
            try {
                return form.apply(text);
            } catch (DateTimeException anotherForm) {
                // try the next format
            }
        }
        throw new WrongUsage(
                "'" + text + "' is not a time; write 2026-12-31, 2026-12-31T18:00 or 2026-12-31T17:00:00Z");
    }

    /**
     * A duration such as {@code 30m}, {@code 8h} or {@code 7d}.
     *
     * @throws WrongUsage if it is not a duration
     */
    public static Duration duration(String text) {
        Matcher length = LENGTH.matcher(text);
        if (!length.matches()) {
            throw new WrongUsage("'" + text + "' is not a duration; write 30m, 8h or 7d");
        }
        long number = Long.parseLong(length.group(1));
        return switch (length.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    /** The time after a duration from now. */
    public static Instant after(String text, Clock clock) {
        return clock.instant().plus(duration(text)).truncatedTo(ChronoUnit.SECONDS);
    }
}
