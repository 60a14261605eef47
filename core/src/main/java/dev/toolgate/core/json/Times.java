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

/** Reads times as RFC 3339 writes them; one without a zone is in UTC. */
public final class Times {
    private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)[Tt"
            + " ](\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)(?:[Zz]|([+-])([01]\\d|2[0-3]):([0-5]\\d))?");

    private Times() {}

    /** The time that a text says; empty if it says none. */
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

    // Java's own offsets end at 18 hours; those of RFC 3339 do not.
    private static Duration offset(Matcher parts) {
        if (parts.group(3) == null) {
            return Duration.ZERO;
        }
        Duration size = Duration.ofHours(Long.parseLong(parts.group(4))).plusMinutes(Long.parseLong(parts.group(5)));
        return parts.group(3).equals("-") ? size.negated() : size;
    }
}
