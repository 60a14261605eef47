package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Uses;
import dev.toolgate.store.connection.ConnectionPermits;
import dev.toolgate.store.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Reads the permissions of many agents at once, in a fixed number of queries. */
public final class PermissionSnapshots {
    private static final int MAX_PERMISSIONS = 500_000;
    /** Each reader holds many permissions in memory. */
    private static final int MAX_AT_ONCE = 2;

    private static final int FETCH_SIZE = 5_000;
    private static final String TERMS = """
            p.tool_name, p.allowed, p.requires_approval, p.expires_at, p.condition, p.max_uses, u.uses_id,
            coalesce(u.max_uses - u.uses, 0) AS uses_left""";

    private final ConnectionPermits reading = new ConnectionPermits(MAX_AT_ONCE, "overviews of permissions");
    private final Statements statements;
    private final CompiledConditions conditions;
    private final GrantRows rows;

    public PermissionSnapshots(Jdbi jdbi, Conditions conditions) {
        this.statements = new Statements(jdbi);
        this.conditions = new CompiledConditions(conditions);
        this.rows = new GrantRows(this.conditions::onDemand);
    }

    /** An agent of a page. */
    public record Row(String agentId, @Nullable String name, String trustLevel) {}

    /**
     * Some agents of a tenant and their permissions.
     *
     * @param agents sorted by id
     * @param next the last agent if there may be more; {@code null} if not
     */
    public record Page(
            List<Row> agents,
            PermissionSnapshot permissions,
            @Nullable AgentId next) {}

    /** There are more permissions than can be read at once. */
    public static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooMany(String message) {
            super(message);
        }

        TooMany() {
            this("These agents have more than " + MAX_PERMISSIONS + " permissions; ask for fewer agents at once.");
        }
    }

    /**
     * The permissions of the agents of a tenant.
     *
     * @param after the last agent of the page before, if any
     * @throws TooMany if they are too many to be read at once
     */
    public Page page(TenantId tenant, @Nullable AgentId after, int limit) {
        return reading.withPermit(() -> statements.inSnapshot(handle -> {
            List<Row> agents = handle.createQuery("""
                            SELECT agent_id, name, trust_level FROM agents WHERE tenant_id = :tenant AND agent_id > :after
                            ORDER BY agent_id LIMIT :limit""")
                    .bind("tenant", tenant.value())
                    .bind("after", after == null ? "" : after.value())
                    .bind("limit", limit)
                    .map(ConstructorMapper.of(Row.class))
                    .list();
            PermissionSnapshot permissions =
                    read(handle, tenant, agents.stream().map(Row::agentId).toList());
            return new Page(
                    agents,
                    permissions,
                    agents.size() < limit ? null : new AgentId(agents.getLast().agentId()));
        }));
    }

    /**
     * The permissions of some agents and of their groups.
     *
     * @throws TooMany if they are too many to be read at once
     */
    public PermissionSnapshot of(TenantId tenant, Collection<String> agents) {
        return reading.withPermit(() -> statements.inSnapshot(handle -> read(handle, tenant, agents)));
    }

    /** The permissions as they would be after a change. */
    public PermissionSnapshot draft(PermissionSnapshot current, List<Edit> edits) {
        return current.with(edits, conditions::onDemand);
    }

    /**
     * The agents and tools that a change affects, including the members of a group.
     *
     * @throws TooMany if there are too many
     */
    public DraftScope scope(TenantId tenant, List<Edit> edits) {
        DraftScope scope = new DraftScope();
        Map<String, List<String>> toolsOfGroups = new HashMap<>();
        for (Edit edit : edits) {
            switch (edit.holder()) {
                case Holder.Agent agent -> scope.add(agent.id().value(), edit.tool());
                case Holder.Group group ->
                    toolsOfGroups
                            .computeIfAbsent(group.id(), _ -> new ArrayList<>())
                            .add(edit.tool());
            }
        }
        statements.run(handle -> {
            of(handle, tenant, toolsOfGroups.keySet(), """
                            SELECT group_id, agent_id FROM agent_group_members
                            WHERE tenant_id = :tenant AND group_id = ANY (:ids)""")
                    .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
                    .forEach(member -> toolsOfGroups
                            .getOrDefault(member.getKey(), List.of())
                            .forEach(tool -> scope.add(member.getValue(), tool)));
            return scope;
        });
        return scope;
    }

    private PermissionSnapshot read(Handle handle, TenantId tenant, Collection<String> agents) {
        Map<String, List<String>> groupsOf = new HashMap<>();
        of(handle, tenant, agents, """
                        SELECT agent_id, group_id FROM agent_group_members
                        WHERE tenant_id = :tenant AND agent_id = ANY (:ids) ORDER BY agent_id, group_id""")
                .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(member -> groupsOf.computeIfAbsent(member.getKey(), _ -> new ArrayList<>())
                        .add(member.getValue()));
        List<String> groups =
                groupsOf.values().stream().flatMap(List::stream).distinct().toList();
        Entries ofAgents = new Entries();
        of(handle, tenant, agents, "SELECT p.agent_id AS holder, " + TERMS + """
                 FROM agent_tool_permissions p LEFT JOIN grant_uses u ON u.agent_permission_id = p.id
                WHERE p.tenant_id = :tenant AND p.agent_id = ANY (:ids)""")
                .map((row, _) -> ofAgents.add(row))
                .forEach(Entries::limit);
        Entries ofGroups = new Entries();
        of(handle, tenant, groups, "SELECT p.group_id AS holder, " + TERMS + """
                 FROM group_tool_permissions p LEFT JOIN grant_uses u ON u.group_permission_id = p.id
                WHERE p.tenant_id = :tenant AND p.group_id = ANY (:ids)""")
                .map((row, _) -> ofGroups.add(row))
                .forEach(Entries::limit);
        Map<Uses, Integer> usesLeft = new HashMap<>(ofAgents.usesLeft);
        usesLeft.putAll(ofGroups.usesLeft);
        return new PermissionSnapshot(
                version(handle, tenant), ofAgents.byHolder, ofGroups.byHolder, groupsOf, usesLeft);
    }

    private static Query of(Handle handle, TenantId tenant, Collection<String> ids, String sql) {
        return handle.createQuery(sql)
                .setFetchSize(FETCH_SIZE)
                .bind("tenant", tenant.value())
                .bindArray("ids", String.class, ids);
    }

    private static long version(Handle handle, TenantId tenant) {
        return handle.createQuery("SELECT version FROM permission_versions WHERE tenant_id = :tenant")
                .bind("tenant", tenant.value())
                .mapTo(long.class)
                .findOne()
                .orElse(0L);
    }

    /** The permissions of some holders while they are read. */
    private final class Entries {
        private final Map<String, Map<String, PermissionSnapshot.Entry>> byHolder = new HashMap<>();
        private final Map<Uses, Integer> usesLeft = new HashMap<>();
        private int count;

        int add(ResultSet row) throws SQLException {
            PermissionSnapshot.Entry entry =
                    row.getBoolean("allowed") ? entry(rows.grant(row)) : PermissionSnapshot.Entry.REFUSAL;
            byHolder.computeIfAbsent(row.getString("holder"), _ -> new HashMap<>())
                    .put(row.getString("tool_name").intern(), entry);
            if (entry.grant() != null && entry.grant().uses() != null) {
                usesLeft.put(entry.grant().uses(), row.getInt("uses_left"));
            }
            return ++count;
        }

        private static PermissionSnapshot.Entry entry(Grant grant) {
            return grant.equals(Grant.PLAIN) ? PermissionSnapshot.Entry.PLAIN : new PermissionSnapshot.Entry(grant);
        }

        static void limit(int count) {
            if (count > MAX_PERMISSIONS) {
                throw new TooMany();
            }
        }
    }

    /**
     * A fingerprint that changes with the permissions and the agents of a tenant, without reading them all: it covers
     * changes, expired grants, used-up grants, and grants that expire soon.
     */
    public Fingerprint fingerprint(TenantId tenant, Instant now) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT coalesce((SELECT version FROM permission_versions WHERE tenant_id = :tenant), 0) AS version,
                            concat_ws('/',
                                (SELECT count(*) FROM grant_uses WHERE tenant_id = :tenant AND uses >= max_uses),
                                (SELECT count(*) FROM agent_tool_permissions
                                    WHERE tenant_id = :tenant AND expires_at <= :now),
                                (SELECT count(*) FROM agent_tool_permissions
                                    WHERE tenant_id = :tenant AND expires_at <= :soon),
                                (SELECT count(*) FROM group_tool_permissions
                                    WHERE tenant_id = :tenant AND expires_at <= :now),
                                (SELECT count(*) FROM group_tool_permissions
                                    WHERE tenant_id = :tenant AND expires_at <= :soon),
                                (SELECT sum(hashtextextended(concat_ws(chr(31), agent_id, name, trust_level), 0))
                                    FROM agents WHERE tenant_id = :tenant)) AS facts""")
                .bind("tenant", tenant.value())
                .bind("now", now)
                .bind("soon", now.plus(PermissionSnapshot.SOON))
                .map(ConstructorMapper.of(Fingerprint.class))
                .one());
    }

    /** The version of a tenant's permissions, and a digest of everything else that its matrix depends on. */
    public record Fingerprint(long version, String facts) {}
}
