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
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Starts, lists and ends policy sessions; changes take effect for the next call on every instance. */
public final class Sessions {
    private static final String COLUMNS = "policy_bundle, agent_id, workspace_id, ended_at, created_at, created_by";
    private static final int MAX_PAGE_SIZE = 1000;

    private final Statements statements;

    public Sessions(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Starts a session in the bundle's tenant.
     *
     * @return empty if the id is or was in use
     * @throws UnknownTarget if the agent does not exist
     */
    public Optional<StoredSession> create(
            PolicyBundle bundle, AgentId agent, @Nullable WorkspaceId workspace, String createdBy) {
        TenantId tenant = bundle.tenantId();
        return statements.inTransaction(handle -> {
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
    public Optional<StoredSession> find(TenantId tenant, SessionId session) {
        return statements.run(handle -> at(
                        tenant,
                        session,
                        handle.createQuery("SELECT " + COLUMNS
                                + " FROM sessions WHERE tenant_id = :tenant AND session_id = :session"))
                .map((row, _) -> SessionRows.kept(row))
                .findOne());
    }

    /**
     * Sessions of a tenant.
     *
     * @param after the last session of the previous page, if any
     */
    public List<StoredSession> list(
            TenantId tenant, SessionFilter filter, SessionFilter.@Nullable Place after, int limit) {
        String place =
                switch (filter.order()) {
                    case BY_ID -> "session_id > :session ORDER BY session_id";
                    case NEWEST_FIRST ->
                        (after == null ? "true" : "(created_at, session_id) < (:created, :session)")
                                + " ORDER BY created_at DESC, session_id DESC";
                };
        return statements.run(handle -> handle.createQuery("SELECT " + COLUMNS + " " + """
                        FROM sessions
                        WHERE tenant_id = :tenant AND (:all OR agent_id = ANY (:agents))
                          AND (:status::text IS NULL OR :status = CASE WHEN ended_at IS NOT NULL THEN 'ENDED'
                              WHEN expires_at <= :now THEN 'EXPIRED' ELSE 'ACTIVE' END)
                          AND
                        """ + place + " LIMIT :limit")
                .bind("tenant", tenant.value())
                .bind("all", filter.agents() == null)
                .bindArray(
                        "agents",
                        String.class,
                        filter.agents() == null
                                ? List.of()
                                : filter.agents().stream().map(AgentId::value).toList())
                .bind("status", filter.status() == null ? null : filter.status().name())
                .bind("now", filter.now())
                .bind("created", after == null ? null : after.createdAt())
                .bind("session", after == null ? "" : after.session().value())
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map((row, _) -> SessionRows.kept(row))
                .list());
    }

    /**
     * Ends a session.
     *
     * @return whether it existed and had not ended
     */
    public boolean end(TenantId tenant, SessionId session) {
        return statements.run(
                handle -> at(tenant, session, handle.createUpdate("""
                                UPDATE sessions SET ended_at = CURRENT_TIMESTAMP
                                WHERE tenant_id = :tenant AND session_id = :session AND ended_at IS NULL""")).execute() > 0);
    }

    /**
     * Deletes sessions that expired or were ended before this time.
     *
     * @return the number of deleted sessions
     */
    public int deleteEndedBefore(Instant moment) {
        return statements.run(
                handle -> handle.createUpdate("DELETE FROM sessions WHERE least(expires_at, ended_at) < :moment")
                        .bind("moment", moment)
                        .execute());
    }

    // Locked, so that it cannot be deleted before its session exists and is deleted with it.
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
