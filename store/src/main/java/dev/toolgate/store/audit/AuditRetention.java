package dev.toolgate.store.audit;

import dev.toolgate.store.LongWork;
import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the months to come and drops those that are over, while records go on being written: counting and copying are
 * done first and lock nothing, and the month is detached concurrently. Refused calls of a dropped month move to the
 * table beside the months and stay there for longer; so do, in rare cases, records whose neighbours in the chain are
 * younger, so that what is left of every chain has no holes. Any instance may do this at any time: while one does, the
 * others leave it to that one. What a crash leaves half done is finished by the next run.
 */
public final class AuditRetention {
    private static final Logger LOG = LoggerFactory.getLogger(AuditRetention.class);
    private static final int MONTHS_AHEAD = 3;
    private static final int COPIED_AT_ONCE = 1_000;

    private final Jdbi jdbi;
    private final Clock clock;
    private final RetentionSettings settings;
    private final RequestKeyRetention keys;
    private final @Nullable AuditArchive archive;
    private final @Nullable PruneWitness witness;

    /** Retention without checkpoints. */
    public AuditRetention(Jdbi jdbi, Clock clock, RetentionSettings settings) {
        this(jdbi, clock, settings, null);
    }

    /**
     * Retention of records.
     *
     * @param jdbi connections of a role that owns the months
     * @param witness told what goes; with one, only records go that a checkpoint covers; {@code null} without checkpoints
     */
    public AuditRetention(Jdbi jdbi, Clock clock, RetentionSettings settings, @Nullable PruneWitness witness) {
        this.jdbi = jdbi;
        this.clock = clock;
        this.settings = settings;
        this.keys = new RequestKeyRetention(jdbi, clock, settings);
        this.archive = settings.archive() == null ? null : new AuditArchive(jdbi, clock, settings.archive());
        this.witness = witness;
    }

    /**
     * Does what is due.
     *
     * @return the months that were dropped; none if another instance is at it
     * @throws IOException if a month could not be archived or its removal not be vouched for, and then it was not dropped
     */
    public List<YearMonth> run() throws IOException {
        try {
            return jdbi.withHandle(this::runUnlessSomebodyElseDoes);
        } catch (UncheckedIOException undone) {
            throw undone.getCause();
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
        briefly(handle -> handle.execute("SELECT create_audit_partitions(?, ?)", today, MONTHS_AHEAD));
        List<YearMonth> dropped = new ArrayList<>();
        for (Month month : detached()) {
            drop(month);
            dropped.add(month.month());
        }
        for (Month month : due(today)) {
            if (!archiveAndDrop(month)) {
                break; // and no younger one before it
            }
            dropped.add(month.month());
        }
        forget(today);
        keys.run();
        return dropped;
    }

    /** Months that a former run has detached, or begun to, and not dropped. */
    private List<Month> detached() {
        List<String> begun = tables("""
                SELECT inhrelid::regclass::text FROM pg_inherits
                WHERE inhparent = 'tool_audit_logs'::regclass AND inhdetachpending""");
        for (String table : begun) {
            patiently(handle -> handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + table + " FINALIZE"));
        }
        return months("""
                SELECT c.oid::regclass::text FROM pg_class c
                WHERE c.relkind = 'r' AND c.relname LIKE 'tool@_audit@_logs@_%' ESCAPE '@'
                  AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'tool_audit_logs'::regclass)
                  AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid)""");
    }

    private List<Month> due(LocalDate today) {
        return months("SELECT inhrelid::regclass::text FROM pg_inherits"
                        + " WHERE inhparent = 'tool_audit_logs'::regclass AND NOT inhdetachpending")
                .stream()
                .filter(month -> month.month().atEndOfMonth().isBefore(today.minus(settings.keep())))
                .toList();
    }

    private List<Month> months(String sql) {
        return tables(sql).stream()
                .map(Month::of)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
    }

    private List<String> tables(String sql) {
        return jdbi.withHandle(
                handle -> handle.createQuery(sql).mapTo(String.class).list());
    }

    /** False if the month has to stay for now. */
    private boolean archiveAndDrop(Month month) {
        List<Pruning> prunings = jdbi.inTransaction(handle -> {
            LongWork.with(handle);
            return Pruning.of(handle, month);
        });
        if (!mayGo(month, prunings)) {
            return false;
        }
        AuditArchive.@Nullable Archived archived = archived(month);
        try {
            vouch(month, prunings);
            mark(prunings);
            keep(month);
            requireNothingNew(month, archived);
        } catch (RuntimeException stays) {
            forget(archived);
            throw stays;
        }
        // Whatever happens from here on, the next run goes on after this.
        patiently(handle ->
                handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + month.partition() + " CONCURRENTLY"));
        drop(month);
        return true;
    }

    /** Whether checkpoints cover what would go. */
    private boolean mayGo(Month month, List<Pruning> prunings) {
        if (witness == null) {
            return true;
        }
        for (Pruning pruning : prunings) {
            long covered = jdbi.withHandle(handle -> handle.createQuery(
                            "SELECT coalesce(max(sequence), 0) FROM audit_checkpoints WHERE instance_id = :chain")
                    .bind("chain", pruning.chain())
                    .mapTo(Long.class)
                    .one());
            if (covered < pruning.sequence()) {
                LOG.warn(
                        "The audit records of {} stay: no checkpoint covers record {} of chain {} yet",
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
                    "The audit records of " + month + " could not be archived, so they stay.", unwritten));
        }
    }

    /** What stays after all is archived again with the next attempt. */
    private static void forget(AuditArchive.@Nullable Archived archived) {
        try {
            if (archived != null) {
                Files.deleteIfExists(archived.file());
            }
        } catch (IOException alsoThere) {
            LOG.warn("The archive {} is of records that were not removed: {}", archived.file(), alsoThere.getMessage());
        }
    }

    private void vouch(Month month, List<Pruning> prunings) {
        for (Pruning pruning : prunings) {
            String root = pruning.root();
            if (witness == null) {
                continue;
            }
            try {
                if (root != null) {
                    witness.going(new TreeHead(pruning.chain(), pruning.sequence(), root));
                }
            } catch (IOException unsigned) {
                throw new UncheckedIOException(new IOException(
                        "The audit records of " + month + " stay: their removal could not be put on record outside the"
                                + " database.",
                        unsigned));
            }
        }
    }

    // By itself and short: whoever writes a chain changes the same row with every batch.
    private void mark(List<Pruning> prunings) {
        prunings.forEach(pruning -> jdbi.useHandle(handle -> mark(handle.getConnection(), pruning)));
        patiently(handle -> handle.execute("DELETE FROM audit_anchors a USING audit_instances i"
                + " WHERE i.instance_id = a.instance_id AND a.sequence <= i.pruned_sequence"));
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
            throw new IllegalStateException("What was to be removed could not be marked, so it stays.", failed);
        }
    }

    /**
     * Copies what is kept for longer, a little at a time, so that the commits of others do not wait for much of it to be
     * written. Until the month is detached such a record is found twice, with the same id.
     */
    private void keep(Month month) {
        String columns = jdbi.withHandle(
                handle -> handle.createQuery("""
                        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                        WHERE attrelid = 'tool_audit_logs_rest'::regclass AND attnum > 0 AND NOT attisdropped""").mapTo(String.class).one());
        String copy = """
                WITH next AS (
                    SELECT p.* FROM %1$s p JOIN audit_instances i USING (instance_id)
                    WHERE (p.instance_id, p.sequence) > (:chain, :sequence)
                      AND (NOT p.allowed OR p.sequence > i.pruned_sequence)
                    ORDER BY p.instance_id, p.sequence LIMIT :rows),
                copied AS (
                    INSERT INTO tool_audit_logs_rest (%2$s) SELECT %2$s FROM next ON CONFLICT DO NOTHING)
                SELECT instance_id, sequence FROM next ORDER BY instance_id DESC, sequence DESC LIMIT 1""".formatted(month.partition(), columns);
        Optional<ChainPlace> next = Optional.of(new ChainPlace(new UUID(0, 0), 0));
        while (next.isPresent()) {
            ChainPlace after = next.get();
            next = patiently(handle -> handle.createQuery(copy)
                    .bind("chain", after.chain)
                    .bind("sequence", after.sequence)
                    .bind("rows", COPIED_AT_ONCE)
                    .map((row, _) -> new ChainPlace(row.getObject(1, UUID.class), row.getLong(2)))
                    .findOne());
        }
    }

    private record ChainPlace(UUID chain, long sequence) {}

    private void requireNothingNew(Month month, AuditArchive.@Nullable Archived archived) {
        if (archived == null) {
            return;
        }
        long rows = patiently(handle -> handle.createQuery("SELECT count(*) FROM " + month.partition())
                .mapTo(Long.class)
                .one());
        if (rows != archived.rows()) {
            throw new IllegalStateException("Records were added to " + month + " while it was archived.");
        }
    }

    /** Drops a month that is detached, after a last look for records that came in while it was being detached. */
    private void drop(Month month) {
        keep(month);
        patiently(handle -> handle.execute("DROP TABLE " + month.partition()));
    }

    // Gives up rather than wait behind somebody, since others would wait behind it in turn.
    private <T> T briefly(Function<Handle, T> work) {
        return jdbi.inTransaction(handle -> {
            handle.execute("SET LOCAL lock_timeout = '1s'");
            return work.apply(handle);
        });
    }

    /** A statement by itself that may take long and that nobody waits for. */
    private <T extends @Nullable Object> T patiently(Function<Handle, T> work) {
        return jdbi.withHandle(handle -> {
            LongWork.with(handle);
            return work.apply(handle);
        });
    }

    // What lies beside the months and counts as pruned can go when its time is over.
    private void forget(LocalDate today) {
        patiently(handle -> handle.createUpdate("""
                        DELETE FROM tool_audit_logs_rest r USING audit_instances i
                        WHERE i.instance_id = r.instance_id AND r.sequence <= i.pruned_sequence
                          AND r.timestamp < CASE WHEN r.allowed THEN :keep ELSE :keepRefused END""")
                .bind("keep", today.minus(settings.keep()).atStartOfDay().atOffset(ZoneOffset.UTC))
                .bind(
                        "keepRefused",
                        today.minus(settings.keepRefused()).atStartOfDay().atOffset(ZoneOffset.UTC))
                .execute());
    }
}
