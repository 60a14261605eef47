package dev.toolgate.store.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.MemoryWords;
import dev.toolgate.store.connection.PromptConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** What agents remember, in PostgreSQL; every operation is one statement and one round trip. */
public final class PostgresMemory implements Memory {
    private static final String SAVE = """
            INSERT INTO memory_items AS kept (tenant_id, agent_id, key, value, tags, words)
            SELECT ?, ?, ?, ?, ?, array_to_tsvector(?)
            WHERE EXISTS (SELECT FROM memory_items WHERE tenant_id = ? AND agent_id = ? AND key = ?)
               OR NOT EXISTS (SELECT FROM memory_items WHERE tenant_id = ? AND agent_id = ? OFFSET ?)
            ON CONFLICT (tenant_id, agent_id, key) DO UPDATE SET value = excluded.value, tags = excluded.tags,
                words = excluded.words, version = kept.version + 1, updated_at = CURRENT_TIMESTAMP
            RETURNING version""";
    private static final String DELETE = "DELETE FROM memory_items WHERE tenant_id = ? AND agent_id = ? AND key = ?";

    private final DataSource dataSource;

    public PostgresMemory(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public OptionalLong save(TenantId tenant, AgentId agent, Item item, int mostItems) {
        return run(SAVE, statement -> {
            Connection connection = statement.getConnection();
            statement.setString(1, tenant.value());
            statement.setString(2, agent.value());
            statement.setString(3, item.key());
            statement.setString(4, item.value());
            statement.setArray(5, connection.createArrayOf("text", item.tags().toArray()));
            statement.setArray(
                    6, connection.createArrayOf("text", MemoryWords.of(item).toArray()));
            statement.setString(7, tenant.value());
            statement.setString(8, agent.value());
            statement.setString(9, item.key());
            statement.setString(10, tenant.value());
            statement.setString(11, agent.value());
            statement.setInt(12, mostItems - 1);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        });
    }

    @Override
    public List<Kept> find(TenantId tenant, AgentId agent, Question question) {
        MemoryQuery query = MemoryQuery.of(tenant, agent, question);
        return run(query.sql(), statement -> {
            query.bind(statement);
            List<Kept> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String[] tags = (String[]) rows.getArray(3).getArray();
                    found.add(new Kept(new Item(rows.getString(1), rows.getString(2), List.of(tags)), rows.getLong(4)));
                }
            }
            return found;
        });
    }

    @Override
    public boolean delete(TenantId tenant, AgentId agent, String key) {
        return run(DELETE, statement -> {
            statement.setString(1, tenant.value());
            statement.setString(2, agent.value());
            statement.setString(3, key);
            return statement.executeUpdate() > 0;
        });
    }

    private interface Work<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    private <T> T run(String sql, Work<T> work) {
        try (Connection connection = PromptConnection.from(dataSource);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.with(statement);
        } catch (SQLException unanswered) {
            throw new Unavailable("What agents remember cannot be reached now; try again shortly.", unanswered);
        }
    }
}
