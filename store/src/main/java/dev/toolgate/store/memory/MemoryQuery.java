package dev.toolgate.store.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.memory.Memory.Question;
import dev.toolgate.core.memory.MemoryWords;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A question as a statement: always of one agent of one tenant, with a condition for each thing asked for.
 *
 * @param values in the order of their place holders: texts, numbers, and lists for arrays
 */
record MemoryQuery(String sql, List<Object> values) {

    static MemoryQuery of(TenantId tenant, AgentId agent, Question question) {
        StringBuilder sql = new StringBuilder(
                "SELECT key, value, tags, version FROM memory_items WHERE tenant_id = ? AND agent_id = ?");
        List<Object> values = new ArrayList<>(List.of(tenant.value(), agent.value()));
        if (question.key() != null) {
            sql.append(" AND key = ?");
            values.add(question.key());
        }
        if (question.prefix() != null) {
            sql.append(" AND starts_with(key, ?)");
            values.add(question.prefix());
        }
        if (!question.tags().isEmpty()) {
            sql.append(" AND tags @> ?");
            values.add(question.tags());
        }
        if (question.text() != null) {
            sql.append(" AND words @@ ?::tsquery");
            values.add(beginnings(MemoryWords.of(question.text())));
        }
        sql.append(" ORDER BY updated_at DESC, key LIMIT ?");
        values.add(question.most());
        return new MemoryQuery(sql.toString(), values);
    }

    // Words are letters and digits only, so none of them can leave its quotes.
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
                default -> throw new IllegalStateException("No place holder takes this.");
            }
        }
    }
}
