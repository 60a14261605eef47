package dev.toolgate.store.audit;

import dev.toolgate.store.LongWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Makes the months to come and drops those that are over. Refused calls of a dropped month move to
 * the default partition and stay there for longer; so do, in rare cases, records whose neighbours in
 * the chain are younger, so that what is left of every chain has no holes. Any instance may do this
 * at any time: while one does, the others leave it to that one.
 */
public final class AuditRetention {
    private static final Pattern MONTH = Pattern.compile("tool_audit_logs_(\\d{4}_\\d{2})");
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("uuuu_MM");
    private static final int MONTHS_AHEAD = 3;

    private final Jdbi jdbi;
    private final Clock clock;
    private final RetentionSettings settings;
    private final RequestKeyRetention keys;
    private final @Nullable AuditArchive archive;

    public AuditRetention(Jdbi jdbi, Clock clock, RetentionSettings settings) {
        this.jdbi = jdbi;
        this.clock = clock;
        this.settings = settings;
        this.keys = new RequestKeyRetention(jdbi, clock, settings);
        this.archive = settings.archive() == null ? null : new AuditArchive(jdbi, clock, settings.archive());
    }

    /**
     * Does what is due.
     *
     * @return the months that were dropped; none if another instance is at it
     * @throws IOException if a month could not be archived, and then it was not dropped
     */
    public List<YearMonth> run() throws IOException {
        try {
            return jdbi.withHandle(this::runUnlessSomebodyElseDoes);
        } catch (UncheckedIOException unarchived) {
            throw unarchived.getCause();
        }
    }

    private List<YearMonth> runUnlessSomebodyElseDoes(Handle guard) {
        boolean mine = guard.createQuery("SELECT pg_try_advisory_lock(21608, 0)")
                .mapTo(Boolean.class)
                .one();
        if (!mine) {
            return List.of();
        }
        try {
            return runAlone();
        } finally {
            guard.execute("SELECT pg_advisory_unlock(21608, 0)");
        }
    }

    private List<YearMonth> runAlone() {
        LocalDate today = LocalDate.now(clock.withZone(ZoneOffset.UTC));
        alone(handle -> handle.execute("SELECT create_audit_partitions(?, ?)", today, MONTHS_AHEAD));
        List<YearMonth> dropped = new ArrayList<>();
        for (Optional<YearMonth> due = due(today); due.isPresent(); due = due(today)) {
            archiveAndDrop(due.get());
            dropped.add(due.get());
        }
        alone(handle -> forget(handle, today));
        keys.run();
        return dropped;
    }

    private Optional<YearMonth> due(LocalDate today) {
        return jdbi.withHandle(AuditRetention::months).stream()
                .filter(month -> month.atEndOfMonth().isBefore(today.minus(settings.keep())))
                .findFirst();
    }

    private void archiveAndDrop(YearMonth month) {
        String partition = "tool_audit_logs_" + month.format(NAME);
        if (archive == null) {
            alone(handle -> drop(handle, month, partition));
            return;
        }
        try {
            AuditArchive.Archived archived = archive.write(month, partition);
            try {
                alone(handle -> {
                    int rows = drop(handle, month, partition);
                    if (rows != archived.rows()) {
                        throw new IllegalStateException("Records were added to " + month + " while it was archived.");
                    }
                    return rows;
                });
            } catch (RuntimeException notDropped) {
                Files.deleteIfExists(archived.file()); // it is archived again with the next attempt
                throw notDropped;
            }
        } catch (IOException unarchived) {
            throw new UncheckedIOException(new IOException(
                    "The audit records of " + month + " could not be archived, so they stay.", unarchived));
        }
    }

    // Gives up rather than wait behind a long reader, since every writer would wait behind it in turn.
    private <T> T alone(Function<Handle, T> work) {
        return jdbi.inTransaction(handle -> {
            LongWork.with(handle); // a month may have many records
            handle.execute("SET LOCAL lock_timeout = '1s'");
            handle.execute("SELECT pg_advisory_xact_lock(21607, 0)");
            return work.apply(handle);
        });
    }

    private static List<YearMonth> months(Handle handle) {
        return handle
                .createQuery("SELECT inhrelid::regclass::text FROM pg_inherits"
                        + " WHERE inhparent = 'tool_audit_logs'::regclass ORDER BY 1")
                .mapTo(String.class)
                .stream()
                .map(MONTH::matcher)
                .filter(Matcher::matches)
                .map(name -> YearMonth.parse(name.group(1), NAME))
                .toList();
    }

    private static int drop(Handle handle, YearMonth month, String partition) {
        handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + partition);
        int rows = handle.createQuery("SELECT count(*) FROM " + partition)
                .mapTo(Integer.class)
                .one();
        markPruned(handle, partition, month);
        handle.execute("INSERT INTO tool_audit_logs OVERRIDING SYSTEM VALUE SELECT p.* FROM " + partition
                + " p JOIN audit_instances i USING (instance_id)"
                + " WHERE NOT p.allowed OR p.sequence > i.pruned_sequence");
        handle.execute("DROP TABLE " + partition);
        return rows;
    }

    // Everything older than the first record of a younger month is gone: the chain goes on from there.
    private static void markPruned(Handle handle, String partition, YearMonth month) {
        handle.createUpdate("""
                        WITH going AS (
                            SELECT instance_id, sequence, hash FROM %s
                            UNION ALL
                            SELECT instance_id, sequence, hash FROM tool_audit_logs_rest WHERE timestamp < :upper),
                        gone AS (
                            SELECT DISTINCT ON (instance_id) instance_id, sequence, hash FROM going g
                            WHERE sequence < coalesce((SELECT min(stays.sequence) FROM tool_audit_logs stays
                                WHERE stays.instance_id = g.instance_id AND stays.timestamp >= :upper),
                                9223372036854775807)
                            ORDER BY instance_id, sequence DESC)
                        UPDATE audit_instances i SET pruned_sequence = gone.sequence, pruned_hash = gone.hash
                        FROM gone WHERE i.instance_id = gone.instance_id AND gone.sequence > i.pruned_sequence""".formatted(partition))
                .bind("upper", month.plusMonths(1).atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC))
                .execute();
        handle.execute("DELETE FROM audit_anchors a USING audit_instances i"
                + " WHERE i.instance_id = a.instance_id AND a.sequence <= i.pruned_sequence");
    }

    // What lies in the default partition and counts as pruned can go when its time is over.
    private int forget(Handle handle, LocalDate today) {
        return handle.createUpdate("""
                        DELETE FROM tool_audit_logs_rest r USING audit_instances i
                        WHERE i.instance_id = r.instance_id AND r.sequence <= i.pruned_sequence
                          AND r.timestamp < CASE WHEN r.allowed THEN :keep ELSE :keepRefused END""")
                .bind("keep", today.minus(settings.keep()).atStartOfDay().atOffset(ZoneOffset.UTC))
                .bind(
                        "keepRefused",
                        today.minus(settings.keepRefused()).atStartOfDay().atOffset(ZoneOffset.UTC))
                .execute();
    }
}
