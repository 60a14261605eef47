package dev.toolgate.server.door;

import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses expiry times and lifetimes of requests. */
public final class Expiry {
    // At most 90 days.
    private static final Pattern OVERLAP =
            Pattern.compile("([0-9]{1,6}(?=s)|[0-9]{1,5}(?=m)|[0-9]{1,3}(?=h)|(?:[0-8]?[0-9]|90)(?=d))([smhd])");
    private static final Pattern LIFETIME = Pattern.compile("([1-9][0-9]{0,6})([smhd])");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Expiry() {}

    /** Checks that a time is in the future; {@code null} stays {@code null}. */
    public static @Nullable Instant at(@Nullable Instant time, Instant now) {
        if (time != null && (!time.isAfter(now) || time.isAfter(LAST))) {
            throw HttpFailure.conflict("Field 'expires_at' must be in the future and before the year 10000; it is "
                    + now.truncatedTo(ChronoUnit.SECONDS) + " now.");
        }
        return time;
    }

    /** Parses how long two keys are valid side by side, such as {@code 12h}; may be zero. */
    public static Duration overlap(String text) {
        Matcher parts = OVERLAP.matcher(text);
        ChronoUnit unit = parts.matches() ? UNITS.get(parts.group(2)) : null;
        if (unit == null) {
            throw new BadRequest(
                    "Field 'overlap' must be a whole number and a unit, 45s, 30m, 12h or 7d, and at most 90d.");
        }
        return Duration.of(Long.parseLong(parts.group(1)), unit);
    }

    /** The end of a lifetime such as {@code 90d}; {@code null} stays {@code null}. */
    public static @Nullable Instant in(@Nullable String lifetime, Instant now) {
        if (lifetime == null) {
            return null;
        }
        Matcher parts = LIFETIME.matcher(lifetime);
        ChronoUnit unit = parts.matches() ? UNITS.get(parts.group(2)) : null;
        if (unit == null) {
            throw new BadRequest("Field 'expires_in' must be a whole number and a unit: 45s, 30m, 12h or 90d.");
        }
        return at(now.plus(Duration.of(Long.parseLong(parts.group(1)), unit)), now);
    }
}
