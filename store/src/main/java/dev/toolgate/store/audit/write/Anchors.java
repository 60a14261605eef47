package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.chain.RecentChains;
import dev.toolgate.store.audit.record.AuditAnchor;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.record.ChainHead;
import dev.toolgate.store.audit.record.ChainLink;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the heads of other chains into the chain of this instance. Reads only committed data, without locks. Not
 * thread-safe.
 */
final class Anchors {
    private static final int MAX_HEADS = 1000;

    // A chain that has only new anchors does not count as new, or idle instances would anchor each other forever.
    private static final String NEW_HEADS = """
            SELECT i.instance_id, i.last_sequence, encode(i.last_hash, 'hex'), EXISTS (
                SELECT FROM %s
                WHERE records.instance_id = i.instance_id AND records.sequence > coalesce(known.sequence, 0))
            FROM audit_instances i
            LEFT JOIN unnest(?::uuid[], ?::bigint[]) AS known (instance_id, sequence) USING (instance_id)
            WHERE i.instance_id <> ? AND i.last_sequence > greatest(i.pruned_sequence, coalesce(known.sequence, 0))
              AND %s
            ORDER BY i.number DESC LIMIT ?""".formatted(AuditTables.ALL, RecentChains.CONDITION);

    // Existing anchors already cover the chains that ended before them. Two days allow for clock differences.
    private static final String NOT_CARRIED_YET = """
            SELECT max(created_at) - interval '2 days' FROM audit_anchors WHERE created_at <= CURRENT_TIMESTAMP""";

    private static final String STILL_RECENT =
            "SELECT i.instance_id FROM audit_instances i WHERE i.instance_id = ANY (?) AND " + RecentChains.CONDITION;

    private static final String APPEND = """
            WITH head AS (
                UPDATE audit_instances SET last_sequence = ?, last_hash = decode(?, 'hex')
                WHERE instance_id = ? AND last_sequence = ? AND last_hash = decode(?, 'hex') AND ended_at IS NULL
                RETURNING instance_id)
            INSERT INTO audit_anchors (instance_id, sequence, created_at, head_instances, head_sequences, head_hashes,
                previous_hash, hash)
            SELECT instance_id, ?, ?, ?, ?, ?, decode(?, 'hex'), decode(?, 'hex') FROM head""";

    private final Duration every;
    private final Map<UUID, Long> known = new HashMap<>();
    private RecentChains recent = RecentChains.ALL;
    private RecentChains next = RecentChains.ALL;
    private List<ChainHead> written = List.of();
    private @Nullable UUID chain;
    private long lastNanos = System.nanoTime();

    Anchors(Duration every) {
        this.every = every;
    }

    boolean areDue() {
        return System.nanoTime() - lastNanos >= every.toNanos();
    }

    /** Appends an anchor with the heads that are new; false if there are none. */
    boolean append(OpenChain open) throws SQLException {
        if (!open.instanceId().equals(chain)) {
            known.clear(); // a new chain starts with all heads that no anchor covers yet
            recent = notCarriedYet(open.connection());
            chain = open.instanceId();
        }
        lastNanos = System.nanoTime();
        next = RecentChains.fromNow(open.connection());
        forgetEnded(open.connection());
        written = newHeads(open);
        if (written.isEmpty()) {
            return false;
        }
        AuditAnchor anchor = AuditAnchor.after(
                new ChainHead(open.instanceId(), open.lastSequence(), open.lastHash()), Instant.now(), written);
        open.expect(List.of(anchor.link()));
        insert(open, anchor);
        return true;
    }

    /** The appended anchor is durable. */
    void appended() {
        written.forEach(head -> known.put(head.instanceId(), head.sequence()));
        if (written.size() < MAX_HEADS) {
            recent = next;
        }
    }

    private static RecentChains notCarriedYet(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(NOT_CARRIED_YET);
                ResultSet row = query.executeQuery()) {
            OffsetDateTime since = row.next() ? row.getObject(1, OffsetDateTime.class) : null;
            return since == null ? RecentChains.ALL : new RecentChains(since);
        }
    }

    // Forgets chains that the query for new heads no longer returns.
    private void forgetEnded(Connection connection) throws SQLException {
        if (known.isEmpty()) {
            return;
        }
        Set<UUID> still = new HashSet<>();
        try (PreparedStatement query = connection.prepareStatement(STILL_RECENT)) {
            query.setArray(1, connection.createArrayOf("uuid", known.keySet().toArray()));
            query.setObject(2, recent.since());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    still.add(rows.getObject(1, UUID.class));
                }
            }
        }
        known.keySet().retainAll(still);
    }

    private List<ChainHead> newHeads(OpenChain open) throws SQLException {
        Connection connection = open.connection();
        try (PreparedStatement query = connection.prepareStatement(NEW_HEADS)) {
            query.setArray(1, connection.createArrayOf("uuid", known.keySet().toArray()));
            query.setArray(2, connection.createArrayOf("bigint", known.values().toArray()));
            query.setObject(3, open.instanceId());
            query.setObject(4, recent.since());
            query.setInt(5, MAX_HEADS);
            try (ResultSet rows = query.executeQuery()) {
                List<ChainHead> heads = new ArrayList<>();
                boolean hasRecords = false;
                while (rows.next()) {
                    heads.add(new ChainHead(rows.getObject(1, UUID.class), rows.getLong(2), rows.getString(3)));
                    hasRecords |= rows.getBoolean(4);
                }
                return hasRecords ? heads : List.of();
            }
        }
    }

    private static void insert(OpenChain open, AuditAnchor anchor) throws SQLException {
        Connection connection = open.connection();
        ChainLink link = anchor.link();
        try (PreparedStatement insert = connection.prepareStatement(APPEND)) {
            insert.setLong(1, link.sequence());
            insert.setString(2, link.hash());
            insert.setObject(3, link.instanceId());
            insert.setLong(4, open.lastSequence());
            insert.setString(5, open.lastHash());
            insert.setLong(6, link.sequence());
            insert.setObject(7, OffsetDateTime.ofInstant(anchor.at(), ZoneOffset.UTC));
            insert.setArray(8, connection.createArrayOf("uuid", column(anchor, ChainHead::instanceId)));
            insert.setArray(9, connection.createArrayOf("bigint", column(anchor, ChainHead::sequence)));
            insert.setArray(10, connection.createArrayOf("text", column(anchor, ChainHead::hash)));
            insert.setString(11, link.previousHash());
            insert.setString(12, link.hash());
            if (insert.executeUpdate() != 1) {
                throw new SQLException("This instance was declared dead, or its chain was modified.");
            }
        }
    }

    private static Object[] column(AuditAnchor anchor, Function<ChainHead, Object> value) {
        return anchor.heads().stream().map(value).toArray();
    }
}
