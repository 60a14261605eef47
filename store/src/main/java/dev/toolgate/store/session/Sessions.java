package dev.toolgate.store.session;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.grant.UnknownTarget;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Starts, shows and ends the sessions of tenants; what it does counts for the next call on every instance. */
public final class Sessions {
    private static final String COLUMNS = "policy_bundle, agent_id, workspace_id, ended_at, created_at, created_by";
    private static final int MOST_LISTED = 1000;

    private final Statements statements;

    public Sessions(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Starts a session of the bundle's tenant.
     *
     * @return empty if there is or was one with this id
     * @throws UnknownTarget if there is no such agent
     */
    public Optional<KeptSession> create(
            PolicyBundle bundle, AgentId agent, @Nullable WorkspaceId workspace, String createdBy) {
        TenantId tenant = bundle.tenantId();
        return statements.runTogether(handle -> {
            hold(handle, tenant, agent);
            return at(tenant, bundle.sessionId(), handle.createQuery("""
                            INSERT INTO sessions
                                (tenant_id, session_id, agent_id, workspace_id, policy_bundle, expires_at, created_by)
                            VALUES (:tenant, :session, :agent, :workspace, :bundle::jsonb, :expires, :by)
                            ON CONFLICT DO NOTHING RETURNING
                            """ + COLUMNS))
                    .bind("agent", agent.value())
                    .bind("workspace", workspace == null ? null : workspace.value())
                    .bind("bundle", PolicyBundleJson.write(bundle))
                    .bind("expires", bundle.expiresAt())
                    .bind("by", createdBy)
                    .map((row, _) -> SessionRows.kept(row))
                    .findOne();
        });
    }

    /** One session. */
    public Optional<KeptSession> find(TenantId tenant, SessionId session) {
        return statements.run(handle -> at(
                        tenant,
                        session,
                        handle.createQuery("SELECT " + COLUMNS
                                + " FROM sessions WHERE tenant_id = :tenant AND session_id = :session"))
                .map((row, _) -> SessionRows.kept(row))
                .findOne());
    }

    /**
     * Sessions of a tenant, in the order of their ids.
     *
     * @param agents only those of these agents, if given
     * @param after only those after this one, if given: the page that follows
     */
    public List<KeptSession> list(
            TenantId tenant, @Nullable Set<AgentId> agents, @Nullable SessionId after, int limit) {
        return statements.run(handle -> handle.createQuery("SELECT " + COLUMNS + " " + """
                        FROM sessions
                        WHERE tenant_id = :tenant AND session_id > :after
                          AND (:all OR agent_id = ANY (:agents))
                        ORDER BY session_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("all", agents == null)
                .bindArray(
                        "agents",
                        String.class,
                        agents == null
                                ? List.of()
                                : agents.stream().map(AgentId::value).toList())
                .bind("after", after == null ? "" : after.value())
                .bind("limit", Math.clamp(limit, 1, MOST_LISTED))
                .map((row, _) -> SessionRows.kept(row))
                .list());
    }

    /**
     * Ends a session.
     *
     * @return whether there was one to end
     */
    public boolean end(TenantId tenant, SessionId session) {
        return statements.run(
                handle -> at(tenant, session, handle.createUpdate("""
                                UPDATE sessions SET ended_at = CURRENT_TIMESTAMP
                                WHERE tenant_id = :tenant AND session_id = :session AND ended_at IS NULL""")).execute() > 0);
    }

    /**
     * Forgets sessions that were over before this moment, by their time or because somebody ended them.
     *
     * @return how many there were
     */
    public int forgetOverBefore(Instant moment) {
        return statements.run(
                handle -> handle.createUpdate("DELETE FROM sessions WHERE least(expires_at, ended_at) < :moment")
                        .bind("moment", moment)
                        .execute());
    }

    // Held, so that it cannot go before its session is there to go with it.
    private static void hold(Handle handle, TenantId tenant, AgentId agent) {
        boolean exists = handle.createQuery(
                        "SELECT 1 FROM agents WHERE tenant_id = :tenant AND agent_id = :agent FOR KEY SHARE")
                .bind("tenant", tenant.value())
                .bind("agent", agent.value())
                .mapTo(int.class)
                .findOne()
                .isPresent();
        if (!exists) {
            throw new UnknownTarget("agent", agent.value());
        }
    }

    private static <S extends SqlStatement<S>> S at(TenantId tenant, SessionId session, S statement) {
        return statement.bind("tenant", tenant.value()).bind("session", session.value());
    }
}
