package dev.toolgate.store.grant;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Uses;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/** Counts the uses of grants that have a maximum number of uses. */
final class GrantUses {
    private final DataSource dataSource;

    GrantUses(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static Uses uses(long usesId, int maxUses) {
        return new Uses(Long.toString(usesId), maxUses);
    }

    int left(TenantId tenant, Uses uses) {
        return ask("SELECT max_uses - uses FROM grant_uses WHERE tenant_id = ? AND uses_id = ?", query -> {
            bind(query, tenant, uses);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        });
    }

    // One atomic statement, so that concurrent instances never exceed the maximum.
    boolean take(TenantId tenant, Uses uses) {
        return ask("""
                UPDATE grant_uses SET uses = uses + 1
                WHERE tenant_id = ? AND uses_id = ? AND uses < max_uses""", update -> {
            bind(update, tenant, uses);
            return update.executeUpdate() == 1;
        });
    }

    /** The counters with uses left. */
    Set<Uses> unspent(TenantId tenant, Collection<Uses> all) {
        if (all.isEmpty()) {
            return Set.of();
        }
        return ask("""
                SELECT uses_id, max_uses FROM grant_uses
                WHERE tenant_id = ? AND uses_id = ANY (?) AND uses < max_uses""", query -> {
            Object[] ids = all.stream().map(GrantUses::id).toArray();
            query.setString(1, tenant.value());
            query.setArray(2, query.getConnection().createArrayOf("bigint", ids));
            Set<Uses> left = new HashSet<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    left.add(uses(rows.getLong(1), rows.getInt(2)));
                }
            }
            return left;
        });
    }

    private static void bind(PreparedStatement statement, TenantId tenant, Uses uses) throws SQLException {
        statement.setString(1, tenant.value());
        statement.setLong(2, id(uses));
    }

    private static long id(Uses uses) {
        return Long.parseLong(uses.grant());
    }

    private <T> T ask(String sql, StatementWork<T> work) {
        try (Connection connection = ShortTimeoutConnection.from(dataSource);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.run(statement);
        } catch (SQLException unanswered) {
            throw new StaleGrants("The use counter of the grant cannot be read now; try again shortly.", unanswered);
        }
    }

    private interface StatementWork<T> {
        T run(PreparedStatement statement) throws SQLException;
    }
}
