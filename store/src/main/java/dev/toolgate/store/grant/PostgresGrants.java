package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants;
import dev.toolgate.store.Sessions;
import dev.toolgate.store.version.VersionTable;
import dev.toolgate.store.version.Versions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Grants in PostgreSQL, answered from memory. What is in memory counts only while the version of the
 * tenant's permissions is known to be the same; that knowledge is at most half a second old, and
 * when it cannot be had the answer is an error, which means no.
 */
public final class PostgresGrants implements Grants, AutoCloseable {
    private static final int MOST_AGENTS = 200_000;
    private static final List<Grant> PLAIN_ONLY = List.of(Grant.PLAIN);

    // One statement, so that the version and the rows are of the same moment. A grant with a
    // condition or a number of uses is not given out here: its terms could not be checked.
    private static final String LOAD = """
            SELECT coalesce((SELECT version FROM permission_versions WHERE tenant_id = me.tenant_id), 0) AS version,
                   p.tool_name, p.allowed, p.requires_approval, p.expires_at
            FROM (SELECT ?::varchar AS tenant_id, ?::varchar AS agent_id) me
            LEFT JOIN LATERAL (
                SELECT tool_name, allowed, requires_approval, expires_at, condition, max_uses
                FROM agent_tool_permissions a
                WHERE a.tenant_id = me.tenant_id AND a.agent_id = me.agent_id
                UNION ALL
                SELECT tool_name, allowed, requires_approval, expires_at, condition, max_uses
                FROM agent_group_members m JOIN group_tool_permissions g USING (tenant_id, group_id)
                WHERE m.tenant_id = me.tenant_id AND m.agent_id = me.agent_id
            ) p ON NOT p.allowed OR (p.condition IS NULL AND p.max_uses IS NULL)""";

    private final Map<Key, AgentGrants> agents = new ConcurrentHashMap<>();
    private final DataSource dataSource;
    private final Versions versions;
    private final Clock clock;

    /**
     * @param dataSource gives pooled connections for single questions
     * @param sessions one connection is kept for listening
     */
    public PostgresGrants(DataSource dataSource, Sessions sessions, Clock clock) {
        this.dataSource = dataSource;
        this.versions = new Versions(VersionTable.PERMISSIONS, dataSource, sessions);
        this.clock = clock;
    }

    @Override
    public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
        return grantsOf(tenant, agent).find(tool);
    }

    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        return grantsOf(tenant, agent).usable(clock.instant());
    }

    @Override
    public int usesLeft(TenantId tenant, Uses uses) {
        return 0;
    }

    @Override
    public boolean use(TenantId tenant, Uses uses) {
        return false;
    }

    /** Makes the next question about this tenant look at the database first. */
    public void changed(TenantId tenant) {
        versions.changed(tenant);
    }

    private AgentGrants grantsOf(TenantId tenant, AgentId agent) {
        long current = versions.current(tenant);
        Key key = new Key(tenant, agent);
        AgentGrants held = agents.get(key);
        if (held != null && held.version() >= current) {
            return held;
        }
        AgentGrants loaded = load(tenant, agent);
        if (agents.size() >= MOST_AGENTS) {
            agents.clear(); // rare, and everything can be read again
        }
        agents.put(key, loaded);
        return loaded;
    }

    private AgentGrants load(TenantId tenant, AgentId agent) {
        long askedAt = System.nanoTime();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement query = connection.prepareStatement(LOAD)) {
            query.setString(1, tenant.value());
            query.setString(2, agent.value());
            try (ResultSet rows = query.executeQuery()) {
                AgentGrants loaded = read(rows);
                versions.saw(tenant, loaded.version(), askedAt);
                return loaded;
            }
        } catch (SQLException unanswered) {
            throw new StaleGrants("The database cannot say what agent '" + agent + "' may use.", unanswered);
        }
    }

    // The same few names and the plain grant come a million times, so they are shared.
    private static AgentGrants read(ResultSet rows) throws SQLException {
        long version = 0;
        Map<String, List<Grant>> granted = new HashMap<>();
        Set<String> refused = new HashSet<>();
        while (rows.next()) {
            version = rows.getLong("version");
            String tool = rows.getString("tool_name");
            if (tool == null) {
                continue; // nothing granted: the row only carries the version
            }
            if (rows.getBoolean("allowed")) {
                granted.merge(tool.intern(), only(grant(rows)), PostgresGrants::joined);
            } else {
                refused.add(tool);
            }
        }
        granted.keySet().removeAll(refused);
        return new AgentGrants(version, Map.copyOf(granted));
    }

    private static Grant grant(ResultSet row) throws SQLException {
        OffsetDateTime expires = row.getObject("expires_at", OffsetDateTime.class);
        Approval approval = row.getBoolean("requires_approval") ? Approval.REQUIRED : Approval.NOT_NEEDED;
        return new Grant(approval, expires == null ? null : expires.toInstant());
    }

    private static List<Grant> only(Grant grant) {
        return grant.equals(Grant.PLAIN) ? PLAIN_ONLY : List.of(grant);
    }

    private static List<Grant> joined(List<Grant> some, List<Grant> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /** From now on every change is found by asking, as if no notification ever arrived. */
    void stopWatching() {
        versions.stopWatching();
    }

    @Override
    public void close() {
        versions.close();
    }

    private record Key(TenantId tenant, AgentId agent) {}
}
