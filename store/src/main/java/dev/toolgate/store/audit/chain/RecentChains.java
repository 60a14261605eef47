package dev.toolgate.store.audit.chain;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;

/**
 * Chains that can have grown since a time of the database's clock: those that are open, and those that ended since. With
 * it, whoever follows the chains reads the same few rows however many chains there have been.
 *
 * @param since {@link OffsetDateTime#MIN} for all chains
 */
public record RecentChains(OffsetDateTime since) {
    /** Of {@code audit_instances i}; its one parameter is {@link #since}. */
    public static final String CONDITION = "(i.ended_at IS NULL OR i.ended_at > ?)";

    public static final RecentChains ALL = new RecentChains(OffsetDateTime.MIN);

    /** A minute before now, since the end of a chain may become visible later than its time says. */
    private static final String NOW = "SELECT CURRENT_TIMESTAMP - interval '1 minute'";

    /** Chains that can have grown after this was asked; to be asked before the chains are looked at. */
    public static RecentChains fromNow(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(NOW)) {
            row.next();
            return new RecentChains(row.getObject(1, OffsetDateTime.class));
        }
    }
}
