package dev.toolgate.store.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.MemoryWords;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The memory of agents in PostgreSQL; every operation is one statement. */
public final class PostgresMemory implements Memory {
    private static final String SAVE = """
            INSERT INTO memory_items AS kept (tenant_id, agent_id, key, value, tags, words)
            SELECT ?, ?, ?, ?, ?, array_to_tsvector(?)
            WHERE EXISTS (SELECT FROM memory_items WHERE tenant_id = ? AND agent_id = ? AND key = ?)
               OR NOT EXISTS (SELECT FROM memory_items WHERE tenant_id = ? AND agent_id = ? OFFSET ?)
            ON CONFLICT (tenant_id, agent_id, key) DO UPDATE SET value = excluded.value, tags = excluded.tags,
                words = excluded.words, version = kept.version + 1, updated_at = CURRENT_TIMESTAMP
            RETURNING version""";
    private static final String UNCHANGED =
            " WHERE tenant_id = ? AND agent_id = ? AND key = ? AND value = ? AND tags = ?";
    private static final String REPLACE = """
            UPDATE memory_items SET value = ?, tags = ?, words = array_to_tsvector(?), version = version + 1,
                updated_at = CURRENT_TIMESTAMP""" + UNCHANGED;
    private static final String DELETE_UNCHANGED = "DELETE FROM memory_items" + UNCHANGED;
    private static final String ADD = """
            INSERT INTO memory_items (tenant_id, agent_id, key, value, tags, words)
            SELECT ?, ?, ?, ?, ?, array_to_tsvector(?)
            WHERE NOT EXISTS (SELECT FROM memory_items WHERE tenant_id = ? AND agent_id = ? OFFSET ?)
            ON CONFLICT (tenant_id, agent_id, key) DO NOTHING""";
    private static final String DELETE = "DELETE FROM memory_items WHERE tenant_id = ? AND agent_id = ? AND key = ?";

    private final DataSource dataSource;

    public PostgresMemory(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public OptionalLong save(TenantId tenant, AgentId agent, Item item, int maxItems) {
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
            statement.setInt(12, maxItems - 1);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        });
    }

    @Override
    public List<StoredItem> find(TenantId tenant, AgentId agent, Criteria criteria) {
        MemoryQuery query = MemoryQuery.of(tenant, agent, criteria);
        return run(query.sql(), statement -> {
            query.bind(statement);
            List<StoredItem> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String[] tags = (String[]) rows.getArray(3).getArray();
                    found.add(new StoredItem(
                            new Item(rows.getString(1), rows.getString(2), List.of(tags)), rows.getLong(4)));
                }
            }
            return found;
        });
    }

    @Override
    public boolean replace(
            TenantId tenant, AgentId agent, String key, @Nullable Item expected, @Nullable Item wanted, int maxItems) {
        List<Object> owner = List.of(tenant.value(), agent.value());
        List<Object> values = new ArrayList<>();
        if (expected == null) {
            Item added = Objects.requireNonNull(wanted, "one of both items is needed");
            values.addAll(owner);
            values.add(key);
            values.addAll(columns(added));
            values.addAll(owner);
            values.add(maxItems - 1);
            return change(ADD, values);
        }
        if (wanted != null) {
            values.addAll(columns(wanted));
        }
        values.addAll(owner);
        values.addAll(List.of(key, expected.value(), expected.tags()));
        return change(wanted == null ? DELETE_UNCHANGED : REPLACE, values);
    }

    private static List<Object> columns(Item item) {
        return List.of(item.value(), item.tags(), MemoryWords.of(item));
    }

    private boolean change(String sql, List<Object> values) {
        return run(sql, statement -> {
            new MemoryQuery(sql, values).bind(statement);
            return statement.executeUpdate() > 0;
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
        try (Connection connection = ShortTimeoutConnection.from(dataSource);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return work.with(statement);
        } catch (SQLException unanswered) {
            throw new Unavailable("The memory of agents is unavailable now; try again shortly.", unanswered);
        }
    }
}
