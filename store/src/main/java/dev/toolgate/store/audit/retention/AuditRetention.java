package dev.toolgate.store.audit.retention;

import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.LongStatements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates partitions for future months and drops expired ones, while records are being written: counting and copying
 * are done first, in small steps without locks, and the partition is detached concurrently. Refused calls of a dropped
 * month are copied to a separate table and retained longer; so are, in rare cases, records whose neighbours in the
 * chain are younger, so that the rest of every chain has no gaps. An advisory lock lets only one instance do this at a
 * time. What a crash leaves unfinished is completed by the next run.
 */
public final class AuditRetention {
    private static final Logger LOG = LoggerFactory.getLogger(AuditRetention.class);
    private static final int MONTHS_AHEAD = 3;
    private static final int ROWS_PER_STEP = 200;

    private final Jdbi jdbi;
    private final Clock clock;
    private final RetentionSettings settings;
    private final RequestKeyRetention keys;
    private final @Nullable AuditArchive archive;
    private final @Nullable PrunePublisher prunes;

    /** Retention without checkpoints. */
    public AuditRetention(Jdbi jdbi, Clock clock, RetentionSettings settings) {
        this(jdbi, clock, settings, null);
    }

    /**
     * Retention of records.
     *
     * @param jdbi connections of a role that owns the partitions
     * @param prunes publishes what is removed, and limits it to records covered by a checkpoint; {@code null} without
     *     checkpoints
     */
    public AuditRetention(Jdbi jdbi, Clock clock, RetentionSettings settings, @Nullable PrunePublisher prunes) {
        this.jdbi = jdbi;
        this.clock = clock;
        this.settings = settings;
        this.keys = new RequestKeyRetention(clock, settings);
        this.archive = settings.archive() == null ? null : new AuditArchive(jdbi, clock, settings.archive());
        this.prunes = prunes;
    }

    /**
     * Runs retention once.
     *
     * @return the months that were dropped; empty if another instance is running it
     * @throws IOException if a month could not be archived or its removal not be published; it is not dropped then
     */
    public List<YearMonth> run() throws IOException {
        try {
            return jdbi.withHandle(this::runIfLocked);
        } catch (UncheckedIOException undone) {
            throw undone.getCause();
        }
    }

    private List<YearMonth> runIfLocked(Handle handle) {
        boolean mine = handle.createQuery("SELECT pg_try_advisory_lock(21608, 0)")
                .mapTo(Boolean.class)
                .one();
        if (!mine) {
            return List.of();
        }
        try {
            LongStatements.allow(handle);
            return runLocked(handle);
        } finally {
            releaseLock(handle);
        }
    }

    private static void releaseLock(Handle handle) {
        try {
            handle.execute("SELECT pg_advisory_unlock(21608, 0)");
        } catch (JdbiException lost) {
            LOG.debug("The connection was lost, which released the retention lock", lost);
        }
    }

    private List<YearMonth> runLocked(Handle handle) {
        LocalDate today = LocalDate.now(clock.withZone(ZoneOffset.UTC));
        createMonths(handle, today);
        List<YearMonth> dropped = new ArrayList<>();
        for (Month month : detached(handle)) {
            drop(handle, month);
            dropped.add(month.month());
        }
        for (Month month : due(handle, today)) {
            if (!archiveAndDrop(handle, month)) {
                break; // months are dropped in order
            }
            dropped.add(month.month());
        }
        deleteExpired(handle, today);
        keys.run(handle);
        return dropped;
    }

    // Fails rather than wait for a lock, because writers would queue behind it.
    private static void createMonths(Handle handle, LocalDate today) {
        handle.useTransaction(transaction -> {
            transaction.execute("SET LOCAL lock_timeout = '1s'");
            transaction.execute("SELECT create_audit_partitions(?, ?)", today, MONTHS_AHEAD);
        });
    }

    /** Months that an earlier run detached, completely or partly, and did not drop. */
    private static List<Month> detached(Handle handle) {
        List<String> begun = tables(handle, """
                SELECT inhrelid::regclass::text FROM pg_inherits
                WHERE inhparent = 'tool_audit_logs'::regclass AND inhdetachpending""");
        for (String table : begun) {
            handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + table + " FINALIZE");
        }
        return months(handle, """
                SELECT c.oid::regclass::text FROM pg_class c
                WHERE c.relkind = 'r' AND c.relname LIKE 'tool@_audit@_logs@_%' ESCAPE '@'
                  AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'tool_audit_logs'::regclass)
                  AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid)""");
    }

    private List<Month> due(Handle handle, LocalDate today) {
        return months(
                        handle,
                        "SELECT inhrelid::regclass::text FROM pg_inherits"
                                + " WHERE inhparent = 'tool_audit_logs'::regclass AND NOT inhdetachpending")
                .stream()
                .filter(month -> month.month().atEndOfMonth().isBefore(today.minus(settings.keep())))
                .toList();
    }

    private static List<Month> months(Handle handle, String sql) {
        return tables(handle, sql).stream()
                .map(Month::of)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
    }

    private static List<String> tables(Handle handle, String sql) {
        return handle.createQuery(sql).mapTo(String.class).list();
    }

    /** False if the month cannot be dropped yet. */
    private boolean archiveAndDrop(Handle handle, Month month) {
        List<Pruning> prunings = handle.inTransaction(transaction -> {
            LongStatements.allow(transaction);
            return Pruning.of(transaction, month);
        });
        if (!isCovered(handle, month, prunings)) {
            return false;
        }
        AuditArchive.@Nullable Archived archived = archived(month);
        try {
            signRemovals(month, prunings);
            mark(handle, prunings);
            copyRetained(handle, month);
            requireUnchanged(handle, month, archived);
        } catch (RuntimeException stays) {
            deleteArchive(archived);
            throw stays;
        }
        // If this run fails from here on, the next one continues with the detached partition.
        handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + month.partition() + " CONCURRENTLY");
        drop(handle, month);
        return true;
    }

    /** Whether checkpoints cover the records that would be removed. */
    private boolean isCovered(Handle handle, Month month, List<Pruning> prunings) {
        if (prunes == null) {
            return true;
        }
        for (Pruning pruning : prunings) {
            long covered = handle.createQuery(
                            "SELECT coalesce(max(sequence), 0) FROM audit_checkpoints WHERE instance_id = :chain")
                    .bind("chain", pruning.chain())
                    .mapTo(Long.class)
                    .one();
            if (covered < pruning.sequence()) {
                LOG.warn(
                        "Audit records of {} are not deleted yet: no checkpoint covers record {} of chain {}",
                        month,
                        pruning.sequence(),
                        pruning.chain());
                return false;
            }
        }
        return true;
    }

    private AuditArchive.@Nullable Archived archived(Month month) {
        try {
            return archive == null ? null : archive.write(month);
        } catch (IOException unwritten) {
            throw new UncheckedIOException(new IOException(
                    "The audit records of " + month + " could not be archived, so they were not deleted.", unwritten));
        }
    }

    /** Deletes the archive of a month that was not dropped; the next attempt archives it again. */
    private static void deleteArchive(AuditArchive.@Nullable Archived archived) {
        try {
            if (archived != null) {
                Files.deleteIfExists(archived.file());
            }
        } catch (IOException alsoThere) {
            LOG.warn(
                    "Archive {} could not be deleted, although its records are still in the database: {}",
                    archived.file(),
                    alsoThere.getMessage());
        }
    }

    private void signRemovals(Month month, List<Pruning> prunings) {
        for (Pruning pruning : prunings) {
            String root = pruning.root();
            if (prunes == null) {
                continue;
            }
            try {
                if (root != null) {
                    prunes.publishPrune(new TreeHead(pruning.chain(), pruning.sequence(), root));
                }
            } catch (IOException unsigned) {
                throw new UncheckedIOException(new IOException(
                        "The audit records of " + month
                                + " were not deleted, because a checkpoint of their removal could" + " not be saved.",
                        unsigned));
            }
        }
    }

    // A short transaction of its own, because the writer of a chain updates the same row with every batch.
    private static void mark(Handle handle, List<Pruning> prunings) {
        prunings.forEach(pruning -> mark(handle.getConnection(), pruning));
        deleteInSteps(handle, """
                DELETE FROM audit_anchors WHERE ctid = ANY (ARRAY(
                    SELECT a.ctid FROM audit_anchors a JOIN audit_instances i USING (instance_id)
                    WHERE a.sequence <= i.pruned_sequence LIMIT :rows))""", Function.identity());
    }

    private static void mark(Connection connection, Pruning pruning) {
        MerkleTree tree = pruning.tree();
        try (PreparedStatement update = connection.prepareStatement("""
                UPDATE audit_instances SET pruned_sequence = ?, pruned_hash = ?, pruned_tree = ?
                WHERE instance_id = ? AND pruned_sequence < ?""")) {
            update.setLong(1, pruning.sequence());
            update.setBytes(2, HexFormat.of().parseHex(pruning.hash()));
            update.setArray(
                    3,
                    tree == null
                            ? null
                            : connection.createArrayOf("bytea", tree.subtrees().toArray(byte[][]::new)));
            update.setObject(4, pruning.chain());
            update.setLong(5, pruning.sequence());
            update.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException("The pruned mark could not be set, so nothing was deleted.", failed);
        }
    }

    /**
     * Copies the records that are retained longer. Until the month is detached such a record is found twice, with the
     * same id. A crash can lose copies only while the month still exists, because the commit that drops it is flushed
     * after them.
     */
    private static void copyRetained(Handle handle, Month month) {
        String columns = handle.createQuery("""
                        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                        WHERE attrelid = 'tool_audit_logs_rest'::regclass AND attnum > 0 AND NOT attisdropped""").mapTo(String.class).one();
        String copy = """
                WITH next AS (
                    SELECT p.* FROM %1$s p JOIN audit_instances i USING (instance_id)
                    WHERE (p.instance_id, p.sequence) > (:chain, :sequence)
                      AND (NOT p.allowed OR p.sequence > i.pruned_sequence)
                    ORDER BY p.instance_id, p.sequence LIMIT :rows),
                copied AS (
                    INSERT INTO tool_audit_logs_rest (%2$s) SELECT %2$s FROM next ON CONFLICT DO NOTHING)
                SELECT instance_id, sequence FROM next ORDER BY instance_id DESC, sequence DESC LIMIT 1""".formatted(month.partition(), columns);
        SmallSteps steps = new SmallSteps(handle);
        Optional<ChainPlace> next = Optional.of(new ChainPlace(new UUID(0, 0), 0));
        while (next.isPresent()) {
            ChainPlace after = next.get();
            next = steps.step(transaction -> transaction
                    .createQuery(copy)
                    .bind("chain", after.chain)
                    .bind("sequence", after.sequence)
                    .bind("rows", ROWS_PER_STEP)
                    .map((row, _) -> new ChainPlace(row.getObject(1, UUID.class), row.getLong(2)))
                    .findOne());
        }
    }

    private record ChainPlace(UUID chain, long sequence) {}

    private static void requireUnchanged(Handle handle, Month month, AuditArchive.@Nullable Archived archived) {
        if (archived == null) {
            return;
        }
        long rows = handle.inTransaction(transaction -> {
            LongStatements.allow(transaction);
            return transaction
                    .createQuery("SELECT count(*) FROM " + month.partition())
                    .mapTo(Long.class)
                    .one();
        });
        if (rows != archived.rows()) {
            throw new IllegalStateException(
                    "Records were added to " + month + " while it was archived; the next run archives it again.");
        }
    }

    /** Drops a detached month, after copying records that were added while it was being detached. */
    private static void drop(Handle handle, Month month) {
        copyRetained(handle, month);
        handle.execute("DROP TABLE " + month.partition());
    }

    // Copied records can be deleted when they are expired and their part of the chain is pruned.
    private void deleteExpired(Handle handle, LocalDate today) {
        deleteExpired(handle, "NOT r.allowed", today.minus(settings.keepRefused()));
        deleteExpired(handle, "r.allowed", today.minus(settings.keep()));
    }

    private static void deleteExpired(Handle handle, String which, LocalDate before) {
        deleteInSteps(
                handle,
                """
                DELETE FROM tool_audit_logs_rest WHERE ctid = ANY (ARRAY(
                    SELECT r.ctid FROM tool_audit_logs_rest r JOIN audit_instances i USING (instance_id)
                    WHERE %s AND r.timestamp < :before AND r.sequence <= i.pruned_sequence LIMIT :rows))""".formatted(which),
                delete -> delete.bind("before", before.atStartOfDay().atOffset(ZoneOffset.UTC)));
    }

    private static void deleteInSteps(Handle handle, String sql, Function<Update, Update> bind) {
        SmallSteps steps = new SmallSteps(handle);
        int deleted;
        do {
            deleted = steps.step(transaction -> bind.apply(transaction.createUpdate(sql))
                    .bind("rows", ROWS_PER_STEP)
                    .execute());
        } while (deleted == ROWS_PER_STEP);
    }
}
