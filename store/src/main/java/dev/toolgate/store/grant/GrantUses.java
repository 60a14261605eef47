package dev.toolgate.store.grant;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Uses;
import dev.toolgate.store.connection.PromptConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/** Counts the uses of grants that have a number of them. */
final class GrantUses {
    private final DataSource dataSource;

    GrantUses(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static Uses uses(long usesId, int most) {
        return new Uses(Long.toString(usesId), most);
    }

    int left(TenantId tenant, Uses uses) {
        return ask("SELECT max_uses - uses FROM grant_uses WHERE tenant_id = ? AND uses_id = ?", query -> {
            bind(query, tenant, uses);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        });
    }

    // The row stays locked for the one statement, so every instance counts on from the last.
    boolean take(TenantId tenant, Uses uses) {
        return ask("""
                UPDATE grant_uses SET uses = uses + 1
                WHERE tenant_id = ? AND uses_id = ? AND uses < max_uses""", update -> {
            bind(update, tenant, uses);
            return update.executeUpdate() == 1;
        });
    }

    /** Those of which something is left. */
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

    private <T> T ask(String sql, Question<T> question) {
        try (Connection connection = PromptConnection.from(dataSource);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return question.ask(statement);
        } catch (SQLException unanswered) {
            throw new StaleGrants("The database cannot say how often the grant has been used.", unanswered);
        }
    }

    private interface Question<T> {
        T ask(PreparedStatement statement) throws SQLException;
    }
}
