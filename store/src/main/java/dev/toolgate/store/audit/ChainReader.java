package dev.toolgate.store.audit;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;

/** Reads chains within one transaction, a few entries at a time in memory. */
final class ChainReader {
    private static final int ROWS_IN_MEMORY = 500;
    private static final String ENDS = """
            SELECT instance_id, pruned_sequence, encode(pruned_hash, 'hex'), last_sequence, encode(last_hash, 'hex')
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
                head_sequences, head_hashes FROM audit_anchors""";

    private ChainReader() {}

    /** Everything there is. */
    static <T> T whole(Handle handle, Function<Chains, T> reader) {
        List<ChainEnds> ends =
                handle.createQuery(ENDS).map((row, _) -> ends(row)).list();
        List<ChainHead> claims = handle.createQuery(CLAIMS)
                .map((row, _) -> new ChainHead(row.getObject(1, UUID.class), row.getLong(2), row.getString(3)))
                .list();
        try (ResultIterator<AuditRecord> records = handle.createQuery("SELECT " + AuditRows.COLUMNS
                                + " FROM tool_audit_logs ORDER BY instance_id, sequence, timestamp")
                        .setFetchSize(ROWS_IN_MEMORY)
                        .map((row, _) -> AuditRows.read(row))
                        .iterator();
                ResultIterator<AuditAnchor> anchors = handle.createQuery(ANCHOR + " ORDER BY instance_id, sequence")
                        .setFetchSize(ROWS_IN_MEMORY)
                        .map((row, _) -> anchor(row))
                        .iterator()) {
            Iterator<ChainEntry> entries = new InChainOrder(records, anchors);
            return reader.apply(new Chains(Chains.Extent.WHOLE, ends, claims, entries));
        }
    }

    static ChainEnds ends(ResultSet row) throws SQLException {
        return new ChainEnds(
                row.getObject(1, UUID.class), row.getLong(2), row.getString(3), row.getLong(4), row.getString(5));
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
