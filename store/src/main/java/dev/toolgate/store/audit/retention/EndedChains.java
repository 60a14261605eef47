package dev.toolgate.store.audit.retention;

import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.LongStatements;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes ended chains when retention has removed their records: first their last anchors, then their rows in
 * {@code audit_instances}. A row is kept while verification needs it: while its chain has a record or an
 * anchor, or an anchor of another chain refers to it. Without this, every server start would leave a row forever.
 */
public final class EndedChains {
    private static final Logger LOG = LoggerFactory.getLogger(EndedChains.class);
    /** How long the row of a chain without entries is kept. */
    private static final Duration EMPTY_KEPT = Duration.ofHours(1);

    private static final String NO_RECORDS = """
            AND NOT EXISTS (SELECT FROM tool_audit_logs l
                WHERE l.instance_id = i.instance_id AND l.sequence > %1$s)
            AND NOT EXISTS (SELECT FROM tool_audit_logs_rest l
                WHERE l.instance_id = i.instance_id AND l.sequence > %1$s)
            AND NOT EXISTS (SELECT FROM tool_intents t WHERE t.instance_id = i.instance_id)
            """;

    private static final String ONLY_ANCHORS_LEFT = """
            SELECT i.instance_id, i.last_sequence, i.pruned_sequence, i.pruned_tree, coalesce(c.sequence, 0)
            FROM audit_instances i LEFT JOIN audit_checkpoints c USING (instance_id)
            WHERE i.ended_at < :before AND i.last_sequence > i.pruned_sequence
            """ + NO_RECORDS.formatted("i.pruned_sequence");

    private static final String MARK = """
            UPDATE audit_instances SET pruned_sequence = last_sequence, pruned_hash = last_hash, pruned_tree = ?
            WHERE instance_id = ? AND ended_at IS NOT NULL""";

    private static final String DELETE_ANCHORS = """
            DELETE FROM audit_anchors a USING audit_instances i
            WHERE i.instance_id = a.instance_id AND i.ended_at IS NOT NULL AND i.pruned_sequence = i.last_sequence""";

    private static final String DELETE_ROWS = """
            WITH gone AS (
                DELETE FROM audit_instances i
                WHERE i.pruned_sequence = i.last_sequence
                  AND i.ended_at < CASE WHEN i.last_sequence = 0 THEN :empty_before ELSE :before END
            """ + NO_RECORDS.formatted("0") + """
                  AND NOT EXISTS (SELECT FROM audit_anchors a WHERE a.instance_id = i.instance_id)
                  AND i.instance_id NOT IN (SELECT unnest(head_instances) FROM audit_anchors)
                RETURNING i.instance_id),
            unsigned AS (DELETE FROM audit_checkpoints c USING gone WHERE c.instance_id = gone.instance_id)
            SELECT count(*) FROM gone""";

    private final Jdbi jdbi;
    private final Clock clock;
    private final Period keep;
    private final @Nullable PrunePublisher prunes;

    /**
     * Removal of chains.
     *
     * @param jdbi connections of the role that deletes records
     * @param keep how long records, and chains without records, are kept
     * @param prunes publishes what is removed, and limits it to chains covered by a checkpoint; {@code null} without
     *     checkpoints
     */
    public EndedChains(Jdbi jdbi, Clock clock, Period keep, @Nullable PrunePublisher prunes) {
        this.jdbi = jdbi;
        this.clock = clock;
        this.keep = keep;
        this.prunes = prunes;
    }

    private record Chain(UUID id, long last, @Nullable MerkleTree tree, long covered) {}

    /**
     * Removes the chains that are due.
     *
     * @return the number of removed chains
     * @throws IOException if a removal could not be published; the chain is kept then
     */
    public long run() throws IOException {
        OffsetDateTime now = OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
        OffsetDateTime before = now.minus(keep);
        for (Chain chain : withOnlyAnchorsLeft(before)) {
            if (prunes == null || chain.covered >= chain.last) {
                remove(chain);
            }
        }
        long gone = jdbi.withHandle(handle -> {
            LongStatements.allow(handle);
            handle.execute(DELETE_ANCHORS);
            return handle.createQuery(DELETE_ROWS)
                    .bind("before", before)
                    .bind("empty_before", now.minus(EMPTY_KEPT))
                    .mapTo(long.class)
                    .one();
        });
        if (gone > 0) {
            LOG.info("Removed {} ended audit chains", gone);
        }
        return gone;
    }

    private List<Chain> withOnlyAnchorsLeft(OffsetDateTime before) {
        return jdbi.withHandle(handle -> {
            LongStatements.allow(handle);
            return handle.createQuery(ONLY_ANCHORS_LEFT)
                    .bind("before", before)
                    .map((row, _) -> chain(row))
                    .list();
        });
    }

    private static Chain chain(ResultSet row) throws SQLException {
        return new Chain(
                row.getObject(1, UUID.class),
                row.getLong(2),
                Pruning.tree(row.getLong(3), row.getArray(4)),
                row.getLong(5));
    }

    private void remove(Chain chain) throws IOException {
        MerkleTree tree = chain.tree == null
                ? null
                : jdbi.inTransaction(handle -> Pruning.extended(handle, chain.id, chain.tree, chain.last));
        if (prunes != null && tree != null) {
            prunes.publishPrune(
                    new TreeHead(chain.id, chain.last, Base64.getEncoder().encodeToString(tree.root())));
        }
        jdbi.useHandle(handle -> mark(handle.getConnection(), chain.id, tree));
    }

    private static void mark(Connection connection, UUID chain, @Nullable MerkleTree tree) {
        try (PreparedStatement update = connection.prepareStatement(MARK)) {
            update.setArray(
                    1,
                    tree == null
                            ? null
                            : connection.createArrayOf("bytea", tree.subtrees().toArray(byte[][]::new)));
            update.setObject(2, chain);
            update.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException("An ended chain could not be marked as pruned, so it was kept.", failed);
        }
    }
}
