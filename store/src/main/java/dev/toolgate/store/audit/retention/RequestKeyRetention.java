package dev.toolgate.store.audit.retention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Deletes stored outcomes after a while, and request ids together with their records, a few rows at a time. */
final class RequestKeyRetention {
    private static final int ROWS = 1_000;
    private static final Duration OVERLAP = Duration.ofDays(3);

    private final Clock clock;
    private final RetentionSettings settings;
    private boolean ranBefore;

    RequestKeyRetention(Clock clock, RetentionSettings settings) {
        this.clock = clock;
        this.settings = settings;
    }

    void run(Handle handle) {
        OffsetDateTime now = OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
        OffsetDateTime old = now.minus(settings.keepOutcomes());
        // Older rows were handled by earlier runs of this process; the first run covers everything.
        OffsetDateTime from =
                ranBefore ? old.minus(OVERLAP) : now.minus(settings.keep()).minusYears(1);
        repeat(handle, """
                WITH step AS (
                    SELECT ctid, created_at FROM request_keys
                    WHERE outcome IS NOT NULL AND created_at >= :from AND created_at < :old AND completed_at < :old
                    ORDER BY created_at LIMIT :rows),
                changed AS (
                    UPDATE request_keys SET outcome = NULL WHERE ctid = ANY (ARRAY(SELECT ctid FROM step)))
                SELECT max(created_at) FROM step""", from, old);
        repeat(handle, """
                WITH step AS (
                    SELECT ctid, created_at FROM request_keys WHERE created_at >= :from AND created_at < :old
                    ORDER BY created_at LIMIT :rows),
                changed AS (
                    DELETE FROM request_keys WHERE ctid = ANY (ARRAY(SELECT ctid FROM step)))
                SELECT max(created_at) FROM step""", OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC), now.minus(settings.keep()));
        ranBefore = true;
    }

    /** Each step continues where the previous one ended, and does not read its rows again. */
    private static void repeat(Handle handle, String sql, OffsetDateTime from, OffsetDateTime old) {
        SmallSteps steps = new SmallSteps(handle);
        Optional<OffsetDateTime> next = Optional.of(from);
        while (next.isPresent()) {
            OffsetDateTime start = next.get();
            next = steps.step(transaction -> transaction
                    .createQuery(sql)
                    .bind("from", start)
                    .bind("old", old)
                    .bind("rows", ROWS)
                    .mapTo(OffsetDateTime.class)
                    .findOne());
        }
    }
}
