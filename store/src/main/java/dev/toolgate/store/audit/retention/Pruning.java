package dev.toolgate.store.audit.retention;

import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.checkpoint.MerkleTree;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;
import org.jspecify.annotations.Nullable;

/**
 * How far a chain is pruned when a month is dropped.
 *
 * @param sequence the last record that is removed
 * @param hash its hash, in hexadecimal
 * @param tree the Merkle tree over everything up to it; {@code null} if unknown
 */
record Pruning(
        UUID chain, long sequence, String hash, @Nullable MerkleTree tree) {
    private static final int FETCH_SIZE = 2_000;

    private static final String LINKS = """
            SELECT sequence, hash FROM %s WHERE instance_id = :chain AND sequence > :from AND sequence <= :to
            UNION ALL
            SELECT sequence, hash FROM audit_anchors WHERE instance_id = :chain AND sequence > :from AND sequence <= :to
            ORDER BY sequence""".formatted(AuditTables.ALL);

    /**
     * The prunings for a month: of each chain everything before its first record of a later month. Finds the ends of
     * chains by index, reads their links for the trees, and takes no locks.
     */
    static List<Pruning> of(Handle handle, Month month) {
        List<Former> going = handle.createQuery("""
            SELECT i.instance_id, last.sequence, last.hash, i.pruned_sequence, i.pruned_tree
            FROM audit_instances i
            CROSS JOIN LATERAL (
                SELECT coalesce(least(
                    (SELECT min(sequence) FROM tool_audit_logs
                     WHERE instance_id = i.instance_id AND timestamp >= :upper),
                    (SELECT min(sequence) FROM tool_audit_logs_rest
                     WHERE instance_id = i.instance_id AND timestamp >= :upper)), 9223372036854775807) AS sequence)
                AS first_to_stay
            CROSS JOIN LATERAL (
                (SELECT sequence, hash FROM %1$s
                 WHERE instance_id = i.instance_id AND sequence < first_to_stay.sequence
                 ORDER BY sequence DESC LIMIT 1)
                UNION ALL
                (SELECT sequence, hash FROM tool_audit_logs_rest
                 WHERE instance_id = i.instance_id AND sequence < first_to_stay.sequence AND timestamp < :upper
                 ORDER BY sequence DESC LIMIT 1)
                ORDER BY sequence DESC LIMIT 1) AS last
            WHERE i.last_sequence > i.pruned_sequence AND last.sequence > i.pruned_sequence""".formatted(month.partition()))
                .bind("upper", month.end())
                .map((row, _) -> former(row))
                .list();
        List<Pruning> all = new ArrayList<>();
        for (Former chain : going) {
            all.add(new Pruning(
                    chain.chain,
                    chain.last,
                    chain.hash,
                    chain.tree == null ? null : extended(handle, chain.chain, chain.tree, chain.last)));
        }
        return all;
    }

    /** Extends a tree with the next records of a chain; {@code null} if one of them is missing. */
    static @Nullable MerkleTree extended(Handle handle, UUID chain, MerkleTree tree, long to) {
        try (ResultIterator<Link> links = handle.createQuery(LINKS)
                .bind("chain", chain)
                .bind("from", tree.size())
                .bind("to", to)
                .setFetchSize(FETCH_SIZE)
                .map((row, _) -> new Link(row.getLong(1), HexFormat.of().formatHex(row.getBytes(2))))
                .iterator()) {
            StepPause pace = new StepPause();
            for (long read = 1; links.hasNext(); read++) {
                Link link = links.next();
                if (link.sequence == tree.size() + 1) {
                    tree.add(HexFormat.of().parseHex(link.hash));
                } else if (link.sequence != tree.size()) { // a record that is being moved is found twice
                    return null;
                }
                if (read % FETCH_SIZE == 0) {
                    pace.pause();
                }
            }
        }
        return tree.size() == to ? tree : null;
    }

    /** The root of its tree, in Base64; {@code null} without a tree. */
    @Nullable
    String root() {
        return tree == null ? null : Base64.getEncoder().encodeToString(tree.root());
    }

    private record Link(long sequence, String hash) {}

    private record Former(
            UUID chain, long last, String hash, @Nullable MerkleTree tree) {}

    private static Former former(ResultSet row) throws SQLException {
        return new Former(
                row.getObject(1, UUID.class),
                row.getLong(2),
                HexFormat.of().formatHex(row.getBytes(3)),
                tree(row.getLong(4), row.getArray(5)));
    }

    /** The tree over the records removed so far; {@code null} if unknown. */
    static @Nullable MerkleTree tree(long size, @Nullable Array subtrees) throws SQLException {
        if (subtrees == null) {
            return null;
        }
        try {
            List<byte[]> hashes = Arrays.asList((byte[][]) subtrees.getArray());
            return Long.bitCount(size) == hashes.size() ? new MerkleTree(size, hashes) : null;
        } finally {
            subtrees.free();
        }
    }
}
