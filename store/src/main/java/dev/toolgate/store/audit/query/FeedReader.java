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
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the new records of every chain. Not thread-safe. */
final class FeedReader implements AutoCloseable {
    private static final int NETWORK_TIMEOUT_MS = 5_000;
    private static final int BATCH_SIZE = 500;
    private static final Executor SAME_THREAD = Runnable::run;
    private static final String NEW_RECORDS = "SELECT " + AuditRows.COLUMNS
            + " FROM " + AuditTables.ALL
            + " WHERE instance_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?";

    private static final String HEADS =
            "SELECT i.instance_id, i.last_sequence FROM audit_instances i WHERE " + RecentChains.CONDITION;

    private final UnpooledConnections connections;
    private final Map<UUID, Long> seen = new HashMap<>();
    private RecentChains recent = RecentChains.ALL;
    private @Nullable Connection connection;

    FeedReader(UnpooledConnections connections) {
        this.connections = connections;
    }

    /** Marks all existing records as seen. */
    void skipExisting() throws SQLException {
        recent = RecentChains.fromNow(connection());
        seen.putAll(heads(connection()));
    }

    /**
     * Passes new records to the reader, or skips them if there is no subscriber.
     *
     * @param wanted whether there are subscribers; evaluated after the heads are read, so that a new subscriber misses
     *     nothing
     */
    void read(BooleanSupplier wanted, Consumer<FeedRecord> reader) throws SQLException {
        try {
            RecentChains next = RecentChains.fromNow(connection());
            Map<UUID, Long> heads = heads(connection());
            if (wanted.getAsBoolean()) {
                for (Map.Entry<UUID, Long> head : heads.entrySet()) {
                    follow(head.getKey(), head.getValue(), reader);
                }
            } else {
                seen.putAll(heads);
            }
            seen.keySet().retainAll(heads.keySet()); // the others have ended and were read completely
            recent = next;
        } catch (SQLException failed) {
            close();
            throw failed;
        }
    }

    private void follow(UUID chain, long head, Consumer<FeedRecord> reader) throws SQLException {
        long last = seen.getOrDefault(chain, 0L);
        while (last < head) {
            int rows = 0;
            try (PreparedStatement query = connection().prepareStatement(NEW_RECORDS)) {
                query.setObject(1, chain);
                query.setLong(2, last);
                query.setLong(3, head);
                query.setInt(4, BATCH_SIZE);
                try (ResultSet found = query.executeQuery()) {
                    for (; found.next(); rows++) {
                        AuditRecord record = AuditRows.read(found);
                        last = record.link().sequence();
                        seen.put(chain, last);
                        reader.accept(new FeedRecord(record, new FeedPosition(recent, seen)));
                    }
                }
            }
            if (rows < BATCH_SIZE) {
                last = head; // the remaining sequence numbers are anchors
            }
        }
        seen.put(chain, last);
    }

    private Map<UUID, Long> heads(Connection connection) throws SQLException {
        Map<UUID, Long> heads = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement(HEADS)) {
            query.setObject(1, recent.since());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    heads.put(rows.getObject(1, UUID.class), rows.getLong(2));
                }
            }
        }
        return heads;
    }

    private Connection connection() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = connections.open();
            current.setNetworkTimeout(SAME_THREAD, NETWORK_TIMEOUT_MS);
            connection = current;
        }
        return current;
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException alreadyLost) {
                // It is closed then.
            }
        }
    }
}
