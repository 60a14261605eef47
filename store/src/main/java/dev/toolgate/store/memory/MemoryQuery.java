package dev.toolgate.store.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.memory.Memory.Criteria;
import dev.toolgate.core.memory.MemoryWords;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A statement about memory as SQL, always restricted to one agent of one tenant.
 *
 * @param values in the order of their placeholders: strings, numbers, and lists for arrays
 */
record MemoryQuery(String sql, List<Object> values) {

    static MemoryQuery of(TenantId tenant, AgentId agent, Criteria criteria) {
        StringBuilder sql = new StringBuilder(
                "SELECT key, value, tags, version FROM memory_items WHERE tenant_id = ? AND agent_id = ?");
        List<Object> values = new ArrayList<>(List.of(tenant.value(), agent.value()));
        if (criteria.key() != null) {
            sql.append(" AND key = ?");
            values.add(criteria.key());
        }
        if (criteria.prefix() != null) {
            sql.append(" AND starts_with(key, ?)");
            values.add(criteria.prefix());
        }
        if (!criteria.tags().isEmpty()) {
            sql.append(" AND tags @> ?");
            values.add(criteria.tags());
        }
        if (criteria.text() != null) {
            sql.append(" AND words @@ ?::tsquery");
            values.add(beginnings(MemoryWords.of(criteria.text())));
        }
        sql.append(" ORDER BY updated_at DESC, key LIMIT ?");
        values.add(criteria.limit());
        return new MemoryQuery(sql.toString(), values);
    }

    // Words consist of letters and digits only, so they need no escaping.
    private static String beginnings(List<String> words) {
        return words.stream().map(word -> "'" + word + "':*").collect(Collectors.joining(" & "));
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            switch (values.get(i)) {
                case String text -> statement.setString(i + 1, text);
                case Integer number -> statement.setInt(i + 1, number);
                case List<?> texts ->
                    statement.setArray(i + 1, statement.getConnection().createArrayOf("text", texts.toArray()));
                default -> throw new IllegalStateException("Unsupported parameter type.");
            }
        }
    }
}
