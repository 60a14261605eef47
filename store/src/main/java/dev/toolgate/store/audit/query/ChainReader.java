package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.chain.ChainClaims;
import dev.toolgate.store.audit.chain.ChainEnds;
import dev.toolgate.store.audit.chain.Chains;
import dev.toolgate.store.audit.chain.MergedChainEntries;
import dev.toolgate.store.audit.record.AuditAnchor;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.record.ChainEntry;
import dev.toolgate.store.audit.record.ChainHead;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.audit.write.AuditRows;
import dev.toolgate.store.connection.LongStatements;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Streams chains within one transaction. */
public final class ChainReader {
    private static final int FETCH_SIZE = 500;
    private static final String ENDS = """
            SELECT instance_id, pruned_sequence, encode(pruned_hash, 'hex'), last_sequence, encode(last_hash, 'hex'),
                pruned_tree
            FROM audit_instances ORDER BY instance_id""";
    private static final String CLAIMS = """
            SELECT DISTINCT ON (head.instance_id) head.instance_id, head.sequence, head.hash
            FROM audit_anchors a,
                unnest(a.head_instances, a.head_sequences, a.head_hashes) AS head (instance_id, sequence, hash)
            LEFT JOIN audit_instances i USING (instance_id)
            WHERE head.sequence > coalesce(i.pruned_sequence, 0)
            ORDER BY head.instance_id, head.sequence DESC, a.instance_id, a.sequence""";
    private static final String ANCHOR = """
            SELECT instance_id, sequence, encode(previous_hash, 'hex'), encode(hash, 'hex'), created_at, head_instances,
                head_sequences, head_hashes""";

    private static final String WITHIN = """
             JOIN unnest(:chains::uuid[], :low::bigint[], :high::bigint[]) AS stretch (chain, low, high)
            ON instance_id = chain AND sequence > low AND sequence <= high ORDER BY instance_id, sequence""";

    private ChainReader() {}

    /** All chains. */
    static <T> T whole(Handle handle, Function<Chains, T> reader) {
        LongStatements.allow(handle);
        List<ChainEnds> ends =
                handle.createQuery(ENDS).map((row, _) -> ends(row)).list();
        List<ChainHead> claims = handle.createQuery(CLAIMS)
                .map((row, _) -> new ChainHead(row.getObject(1, UUID.class), row.getLong(2), row.getString(3)))
                .list();
        Query records = handle.createQuery("SELECT " + AuditRows.COLUMNS + " FROM " + AuditTables.ALL
                + " ORDER BY instance_id, sequence, timestamp");
        Query anchors = handle.createQuery(ANCHOR + " FROM audit_anchors ORDER BY instance_id, sequence");
        return read(records, anchors, entries -> reader.apply(new Chains(Chains.Extent.WHOLE, ends, claims, entries)));
    }

    /** The segments of chains that have records in one month. */
    public static <T> T month(Handle handle, String partition, Function<Chains, T> reader) {
        LongStatements.allow(handle);
        List<ChainEnds> stretches = stretches(handle, partition);
        List<ChainHead> claims;
        try (ResultIterator<AuditAnchor> anchors = within(handle, ANCHOR, "audit_anchors", stretches)
                .setFetchSize(FETCH_SIZE)
                .map((row, _) -> anchor(row))
                .iterator()) {
            claims = ChainClaims.furthest(stretches, anchors);
        }
        return read(
                within(handle, "SELECT " + AuditRows.COLUMNS, AuditTables.ALL, stretches),
                within(handle, ANCHOR, "audit_anchors", stretches),
                entries -> reader.apply(new Chains(Chains.Extent.PART, stretches, claims, entries)));
    }

    // For each chain, the range from its first to its last record in the month, with everything in between.
    private static List<ChainEnds> stretches(Handle handle, String partition) {
        return handle.createQuery("""
                    SELECT instance_id, low.sequence - 1, encode(low.previous_hash, 'hex'), high.sequence,
                        encode(high.hash, 'hex'), CASE low.sequence - 1
                            WHEN 0 THEN '{}' WHEN i.pruned_sequence THEN i.pruned_tree END
                    FROM (SELECT DISTINCT ON (instance_id) instance_id, sequence, previous_hash FROM %1$s
                          ORDER BY instance_id, sequence) low
                    JOIN (SELECT DISTINCT ON (instance_id) instance_id, sequence, hash FROM %1$s
                          ORDER BY instance_id, sequence DESC) high USING (instance_id)
                    LEFT JOIN audit_instances i USING (instance_id)
                    ORDER BY instance_id""".formatted(partition))
                .map((row, _) -> ends(row))
                .list();
    }

    private static Query within(Handle handle, String select, String from, List<ChainEnds> stretches) {
        return handle.createQuery(select + " FROM " + from + WITHIN)
                .bindArray(
                        "chains",
                        UUID.class,
                        stretches.stream().map(ChainEnds::instanceId).toArray())
                .bindArray(
                        "low",
                        Long.class,
                        stretches.stream().map(ChainEnds::prunedSequence).toArray())
                .bindArray(
                        "high",
                        Long.class,
                        stretches.stream().map(ChainEnds::lastSequence).toArray());
    }

    private static <T> T read(Query records, Query anchors, Function<Iterator<ChainEntry>, T> reader) {
        try (ResultIterator<AuditRecord> recordRows = records.setFetchSize(FETCH_SIZE)
                        .map((row, _) -> AuditRows.read(row))
                        .iterator();
                ResultIterator<AuditAnchor> anchorRows = anchors.setFetchSize(FETCH_SIZE)
                        .map((row, _) -> anchor(row))
                        .iterator()) {
            return reader.apply(new MergedChainEntries(recordRows, anchorRows));
        }
    }

    static ChainEnds ends(ResultSet row) throws SQLException {
        return new ChainEnds(
                row.getObject(1, UUID.class),
                row.getLong(2),
                row.getString(3),
                tree(row.getArray(6)),
                row.getLong(4),
                row.getString(5));
    }

    private static @Nullable List<String> tree(@Nullable Array subtrees) throws SQLException {
        return subtrees == null
                ? null
                : Arrays.stream((byte[][]) array(subtrees))
                        .map(HexFormat.of()::formatHex)
                        .toList();
    }

    static AuditAnchor anchor(ResultSet row) throws SQLException {
        UUID[] instances = (UUID[]) array(row.getArray(6));
        Long[] sequences = (Long[]) array(row.getArray(7));
        String[] hashes = (String[]) array(row.getArray(8));
        List<ChainHead> heads = new ArrayList<>(instances.length);
        for (int i = 0; i < instances.length; i++) {
            heads.add(new ChainHead(instances[i], sequences[i], hashes[i]));
        }
        return new AuditAnchor(
                new ChainLink(row.getObject(1, UUID.class), row.getLong(2), row.getString(3), row.getString(4)),
                row.getObject(5, OffsetDateTime.class).toInstant(),
                heads);
    }

    private static Object array(Array value) throws SQLException {
        try {
            return value.getArray();
        } finally {
            value.free();
        }
    }
}
