package dev.toolgate.store.audit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Jdbi;

/** Forgets outcomes after a while, and request ids when their records go. A few rows at a time, so that nobody waits. */
final class RequestKeyRetention {
    private static final int ROWS = 10_000;
    private static final Duration USUAL_GAP = Duration.ofDays(3);

    private final Jdbi jdbi;
    private final Clock clock;
    private final RetentionSettings settings;
    private boolean ranBefore;

    RequestKeyRetention(Jdbi jdbi, Clock clock, RetentionSettings settings) {
        this.jdbi = jdbi;
        this.clock = clock;
        this.settings = settings;
    }

    void run() {
        OffsetDateTime now = OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
        OffsetDateTime old = now.minus(settings.keepOutcomes());
        // What is older was looked at by former runs, except perhaps before this process began.
        OffsetDateTime from =
                ranBefore ? old.minus(USUAL_GAP) : now.minus(settings.keep()).minusYears(1);
        repeat("""
                UPDATE request_keys SET outcome = NULL WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM request_keys
                    WHERE outcome IS NOT NULL AND created_at >= :from AND created_at < :old AND completed_at < :old
                    LIMIT :rows))""", from, old);
        repeat("""
                DELETE FROM request_keys WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM request_keys WHERE created_at >= :from AND created_at < :old LIMIT :rows))""", OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC), now.minus(settings.keep()));
        ranBefore = true;
    }

    private void repeat(String sql, OffsetDateTime from, OffsetDateTime old) {
        int changed;
        do {
            changed = jdbi.withHandle(handle -> handle.createUpdate(sql)
                    .bind("from", from)
                    .bind("old", old)
                    .bind("rows", ROWS)
                    .execute());
        } while (changed == ROWS);
    }
}
