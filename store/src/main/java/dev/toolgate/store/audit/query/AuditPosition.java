package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.record.AuditRecord;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A position in the log, after which the next page begins, even if records have been added since. */
public record AuditPosition(Instant timestamp, long id) {
    private static final long MICROS_PER_SECOND = 1_000_000;

    static AuditPosition of(AuditRecord last) {
        return new AuditPosition(last.call().timestamp(), last.id());
    }

    /** As text for a link. */
    public String token() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, timestamp) + "-" + id;
    }

    /** Reads a {@link #token}. */
    public static AuditPosition parse(String token) {
        int dash = token.lastIndexOf('-');
        try {
            long micros = Long.parseLong(token.substring(0, Math.max(dash, 0)));
            Instant timestamp = Instant.ofEpochSecond(
                    Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
            return new AuditPosition(timestamp, Long.parseLong(token.substring(dash + 1)));
        } catch (NumberFormatException | DateTimeException malformed) {
            throw new IllegalArgumentException(
                    "The page token is invalid; use the link of the previous page.", malformed);
        }
    }
}
