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

/** Follows every chain from where it was last seen. Used by one thread. */
final class FeedReader implements AutoCloseable {
    private static final int NETWORK_PATIENCE_MS = 5_000;
    private static final int ROWS_AT_ONCE = 500;
    private static final Executor ON_THE_SPOT = Runnable::run;
    private static final String NEWS = "SELECT " + AuditRows.COLUMNS
            + " FROM " + AuditTables.ALL
            + " WHERE instance_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?";

    private static final String HEADS =
            "SELECT i.instance_id, i.last_sequence FROM audit_instances i WHERE " + RecentChains.CONDITION;

    private final UnpooledConnections sessions;
    private final Map<UUID, Long> seen = new HashMap<>();
    private RecentChains recent = RecentChains.ALL;
    private @Nullable Connection connection;

    FeedReader(UnpooledConnections sessions) {
        this.sessions = sessions;
    }

    /** Counts everything that is there as seen. */
    void skip() throws SQLException {
        recent = RecentChains.fromNow(connection());
        seen.putAll(heads(connection()));
    }

    /**
     * Gives what is new to the reader, unless nobody wants it.
     *
     * @param wanted asked once it is known what is there, so that whoever comes later misses nothing
     */
    void read(BooleanSupplier wanted, Consumer<AuditRecord> reader) throws SQLException {
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
            seen.keySet().retainAll(heads.keySet()); // the others have ended and were read to their end
            recent = next;
        } catch (SQLException failed) {
            close();
            throw failed;
        }
    }

    private void follow(UUID chain, long head, Consumer<AuditRecord> reader) throws SQLException {
        long last = seen.getOrDefault(chain, 0L);
        while (last < head) {
            int rows = 0;
            try (PreparedStatement query = connection().prepareStatement(NEWS)) {
                query.setObject(1, chain);
                query.setLong(2, last);
                query.setLong(3, head);
                query.setInt(4, ROWS_AT_ONCE);
                try (ResultSet found = query.executeQuery()) {
                    for (; found.next(); rows++) {
                        AuditRecord record = AuditRows.read(found);
                        reader.accept(record);
                        last = record.link().sequence();
                        seen.put(chain, last);
                    }
                }
            }
            if (rows < ROWS_AT_ONCE) {
                last = head; // what is between here and there are anchors
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
            current = sessions.open();
            current.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
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
                // Then it is closed.
            }
        }
    }
}
