package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.chain.RecentChains;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.write.AuditRows;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;

/** Reads the records between an earlier position and now, a batch at a time. Not thread-safe. */
final class AuditReplay {
    /** The maximum; beyond it the caller has to use paged queries. */
    static final long MAX_RECORDS = 10_000;

    private static final int BATCH_SIZE = 500;
    private static final String HEADS = "SELECT i.instance_id, i.last_sequence, i.pruned_sequence"
            + " FROM audit_instances i WHERE " + RecentChains.CONDITION;
    private static final String RECORDS = "SELECT " + AuditRows.COLUMNS
            + " FROM " + AuditTables.ALL
            + " WHERE instance_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?";

    private final UnpooledConnections connections;
    private final Queue<UUID> chains = new ArrayDeque<>();
    private final Queue<FeedRecord> ready = new ArrayDeque<>();
    private final Map<UUID, Long> heads;
    private FeedPosition position;
    private final FeedPosition end;

    /**
     * Determines what to read; the subscription to later records must already exist.
     *
     * @throws TooManyRecords if there are more records than a stream replays
     */
    AuditReplay(UnpooledConnections connections, FeedPosition from) throws SQLException, TooManyRecords {
        this.connections = connections;
        Map<UUID, Long> found = new HashMap<>();
        long records = 0;
        try (Connection connection = connections.open()) {
            RecentChains now = RecentChains.fromNow(connection);
            try (PreparedStatement query = connection.prepareStatement(HEADS)) {
                query.setObject(1, from.recent().since());
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        UUID chain = rows.getObject(1, UUID.class);
                        found.put(chain, rows.getLong(2));
                        records += Math.max(0, rows.getLong(2) - Math.max(from.sequenceOf(chain), rows.getLong(3)));
                    }
                }
            }
            end = new FeedPosition(now, found);
        }
        if (records > MAX_RECORDS) {
            throw new TooManyRecords(records);
        }
        heads = found;
        position = from;
        chains.addAll(found.keySet());
    }

    /** There are more records than a stream replays. */
    static final class TooManyRecords extends Exception {
        private static final long serialVersionUID = 1;

        TooManyRecords(long records) {
            super(records + " records were written since that event, more than a stream repeats; query the log for"
                    + " them.");
        }
    }

    /** The next record; empty once all have been read. */
    Optional<FeedRecord> next() throws SQLException {
        while (ready.isEmpty() && !chains.isEmpty()) {
            readBatch(chains.element());
        }
        return Optional.ofNullable(ready.poll());
    }

    /** The position once everything has been read. */
    FeedPosition end() {
        return end;
    }

    private void readBatch(UUID chain) throws SQLException {
        int rows = 0;
        try (Connection connection = connections.open();
                PreparedStatement query = connection.prepareStatement(RECORDS)) {
            query.setObject(1, chain);
            query.setLong(2, position.sequenceOf(chain));
            query.setLong(3, heads.getOrDefault(chain, 0L));
            query.setInt(4, BATCH_SIZE);
            try (ResultSet found = query.executeQuery()) {
                for (; found.next(); rows++) {
                    AuditRecord record = AuditRows.read(found);
                    position = position.with(chain, record.link().sequence());
                    ready.add(new FeedRecord(record, position));
                }
            }
        }
        if (rows < BATCH_SIZE) {
            chains.remove();
        }
    }
}
