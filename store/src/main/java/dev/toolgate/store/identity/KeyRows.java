package dev.toolgate.store.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads keys from rows. */
final class KeyRows {
    static final String COLUMNS = """
            k.key_id, k.tenant_id, k.key_prefix, k.role, k.agent_id, k.name, k.created_at, k.created_by, k.expires_at,
            k.revoked_at, k.revoked_by, k.last_used_at, k.rotated_from, coalesce(k.principal_id, k.key_id) AS principal_id,
            ARRAY(SELECT a.agent_id::text FROM key_agents a WHERE a.key_id = k.key_id) AS agents
            """;

    private KeyRows() {}

    static ApiKey read(ResultSet row) throws SQLException {
        String agent = row.getString("agent_id");
        Instant created = Timestamps.read(row, "created_at");
        return new ApiKey(
                row.getObject("key_id", UUID.class),
                new TenantId(row.getString("tenant_id")),
                row.getString("key_prefix"),
                row.getString("role"),
                agent == null ? null : new AgentId(agent),
                agents(row),
                row.getString("name"),
                created,
                row.getString("created_by"),
                Timestamps.readNullable(row, "expires_at"),
                Timestamps.readNullable(row, "revoked_at"),
                row.getString("revoked_by"),
                Timestamps.readNullable(row, "last_used_at"),
                row.getObject("rotated_from", UUID.class),
                row.getObject("principal_id", UUID.class));
    }

    private static Set<AgentId> agents(ResultSet row) throws SQLException {
        return Arrays.stream((String[]) row.getArray("agents").getArray())
                .map(AgentId::new)
                .collect(Collectors.toUnmodifiableSet());
    }
}
