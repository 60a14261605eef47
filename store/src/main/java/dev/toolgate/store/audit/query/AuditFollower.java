package dev.toolgate.store.audit.query;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.write.AuditRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Returns every record of all tenants at least once, each chain in order, to a reader that
 * keeps a cursor. Records that are committed late are not missed, because each
 * chain is followed by its sequence numbers, which have no gaps.
 */
public final class AuditFollower {
    // An instance that registered earlier may become visible later, but by less than a minute.
    private static final String CHAINS = """
            SELECT number, instance_id, last_sequence, coalesce(ended_at < CURRENT_TIMESTAMP - interval '1 minute', false)
            FROM audit_instances WHERE number > ? OR number = ANY (?) ORDER BY number""";
    private static final String RECORDS = "SELECT " + AuditRows.COLUMNS
            + " FROM " + AuditTables.ALL
            + " WHERE instance_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?";

    private final DataSource dataSource;

    public AuditFollower(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * A record, and the position after it.
     *
     * @param cursor passed to {@link #after} to get the records that follow
     */
    public record Followed(AuditRecord record, String cursor) {}

    /**
     * The next records.
     *
     * @param cursor the position after the last record that was processed; null for the beginning
     * @throws IllegalArgumentException if the cursor is invalid
     * @throws Unavailable if the database cannot be reached
     */
    public List<Followed> after(@Nullable String cursor, int limit) {
        FollowerCursor position = FollowerCursor.parse(cursor);
        List<Followed> found = new ArrayList<>();
        try (Connection connection = dataSource.getConnection()) {
            List<Chain> chains = chains(connection, position);
            position.retain(chains.stream().map(Chain::number).toList());
            for (Chain chain : chains) {
                follow(connection, chain, position, limit, found);
                if (found.size() == limit) {
                    break;
                }
                position.readUpTo(chain.number(), chain.lastSequence());
                if (chain.isOver()) {
                    position.finish(chain.number());
                }
            }
            return found;
        } catch (SQLException unreachable) {
            throw new Unavailable("The audit log cannot be read now; try again shortly.", unreachable);
        }
    }

    private record Chain(int number, UUID instanceId, long lastSequence, boolean isOver) {}

    private static List<Chain> chains(Connection connection, FollowerCursor position) throws SQLException {
        List<Chain> chains = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(CHAINS)) {
            query.setInt(1, position.finished());
            query.setArray(
                    2, connection.createArrayOf("integer", position.unfinished().toArray()));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    chains.add(new Chain(
                            rows.getInt(1), rows.getObject(2, UUID.class), rows.getLong(3), rows.getBoolean(4)));
                }
            }
        }
        return chains;
    }

    private static void follow(
            Connection connection, Chain chain, FollowerCursor position, int limit, List<Followed> found)
            throws SQLException {
        long from = position.sequenceOf(chain.number());
        if (from >= chain.lastSequence()) {
            return;
        }
        try (PreparedStatement query = connection.prepareStatement(RECORDS)) {
            query.setObject(1, chain.instanceId());
            query.setLong(2, from);
            query.setLong(3, chain.lastSequence());
            query.setInt(4, limit - found.size());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    AuditRecord next = AuditRows.read(rows);
                    position.readUpTo(chain.number(), next.link().sequence());
                    found.add(new Followed(next, position.toString()));
                }
            }
        }
    }
}
