package dev.toolgate.store.audit.chain;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;

/**
 * Chains that can have grown since a time of the database's clock: open ones, and those that ended since. It keeps the
 * number of rows that followers read independent of the total number of chains.
 *
 * @param since {@link OffsetDateTime#MIN} for all chains
 */
public record RecentChains(OffsetDateTime since) {
    /** SQL condition on {@code audit_instances i}; its one parameter is {@link #since}. */
    public static final String CONDITION = "(i.ended_at IS NULL OR i.ended_at > ?)";

    public static final RecentChains ALL = new RecentChains(OffsetDateTime.MIN);

    /** A minute before now, because the end of a chain may become visible later than its timestamp. */
    private static final String NOW = "SELECT CURRENT_TIMESTAMP - interval '1 minute'";

    /** Chains that can grow after this call; must be called before the chains are read. */
    public static RecentChains fromNow(Connection connection) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(NOW)) {
            row.next();
            return new RecentChains(row.getObject(1, OffsetDateTime.class));
        }
    }
}
