package dev.toolgate.core.json;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses RFC 3339 times; a time without a zone is UTC. */
public final class Times {
    private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)[Tt"
            + " ](\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)(?:[Zz]|([+-])([01]\\d|2[0-3]):([0-5]\\d))?");

    private Times() {}

    /** Parses a time; empty if it is not one. */
    public static Optional<Instant> read(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            Instant there = LocalDate.parse(parts.group(1))
                    .atTime(LocalTime.parse(parts.group(2)))
                    .toInstant(ZoneOffset.UTC);
            return Optional.of(there.minus(offset(parts)));
        } catch (DateTimeException noSuchDay) {
            return Optional.empty();
        }
    }

    // Java limits offsets to 18 hours; RFC 3339 does not.
    private static Duration offset(Matcher parts) {
        if (parts.group(3) == null) {
            return Duration.ZERO;
        }
        Duration size = Duration.ofHours(Long.parseLong(parts.group(4))).plusMinutes(Long.parseLong(parts.group(5)));
        return parts.group(3).equals("-") ? size.negated() : size;
    }
}
