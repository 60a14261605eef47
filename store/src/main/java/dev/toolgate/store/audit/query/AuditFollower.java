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
 * Hands out every record of all tenants at least once, each chain in its order, to somebody who
 * remembers how far they have come. Records that are committed late are not missed, because each
 * chain is followed by its own numbers, which have no gaps.
 */
public final class AuditFollower {
    // An instance that registered earlier may become visible later, but not by more than this.
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
     * A record, and the place after it.
     *
     * @param cursor what to ask with for what comes after
     */
    public record Followed(AuditRecord record, String cursor) {}

    /**
     * The next records.
     *
     * @param cursor the place after the last one that was taken; null for the very beginning
     * @throws IllegalArgumentException if the cursor is none of ours
     * @throws Unavailable if they cannot be read now
     */
    public List<Followed> after(@Nullable String cursor, int most) {
        FollowedChains place = FollowedChains.parse(cursor);
        List<Followed> found = new ArrayList<>();
        try (Connection connection = dataSource.getConnection()) {
            List<Chain> chains = chains(connection, place);
            place.retain(chains.stream().map(Chain::number).toList());
            for (Chain chain : chains) {
                follow(connection, chain, place, most, found);
                if (found.size() == most) {
                    break;
                }
                place.readUpTo(chain.number(), chain.lastSequence());
                if (chain.isOver()) {
                    place.readToTheEnd(chain.number());
                }
            }
            return found;
        } catch (SQLException unreachable) {
            throw new Unavailable("The audit log cannot be followed now.", unreachable);
        }
    }

    private record Chain(int number, UUID instanceId, long lastSequence, boolean isOver) {}

    private static List<Chain> chains(Connection connection, FollowedChains place) throws SQLException {
        List<Chain> chains = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(CHAINS)) {
            query.setInt(1, place.finished());
            query.setArray(
                    2, connection.createArrayOf("integer", place.unfinished().toArray()));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    chains.add(new Chain(
                            rows.getInt(1), rows.getObject(2, UUID.class), rows.getLong(3), rows.getBoolean(4)));
                }
            }
        }
        return chains;
    }

    private static void follow(Connection connection, Chain chain, FollowedChains place, int most, List<Followed> found)
            throws SQLException {
        long from = place.in(chain.number());
        if (from >= chain.lastSequence()) {
            return;
        }
        try (PreparedStatement query = connection.prepareStatement(RECORDS)) {
            query.setObject(1, chain.instanceId());
            query.setLong(2, from);
            query.setLong(3, chain.lastSequence());
            query.setInt(4, most - found.size());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    AuditRecord next = AuditRows.read(rows);
                    place.readUpTo(chain.number(), next.link().sequence());
                    found.add(new Followed(next, place.toString()));
                }
            }
        }
    }
}
