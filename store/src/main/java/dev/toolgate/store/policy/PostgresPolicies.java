package dev.toolgate.store.policy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.port.Policies;
import dev.toolgate.store.Statements;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Sessions and their policy bundles in PostgreSQL; each question is one read by primary key. */
public final class PostgresPolicies implements Policies {
    private final Statements statements;

    public PostgresPolicies(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Starts a session under this bundle, or replaces the bundle of a running one. */
    public void put(PolicyBundle bundle) {
        put(bundle, null, null);
    }

    /** Starts a session of an agent in a workspace, or replaces the bundle of a running one. */
    public void put(PolicyBundle bundle, @Nullable AgentId agent, @Nullable WorkspaceId workspace) {
        var _ = statements.run(handle -> handle.createUpdate("""
                        INSERT INTO sessions (tenant_id, session_id, agent_id, workspace_id, policy_bundle, expires_at)
                        VALUES (:tenant, :session, :agent, :workspace, :bundle::jsonb, :expires)
                        ON CONFLICT (tenant_id, session_id) DO UPDATE SET policy_bundle = excluded.policy_bundle,
                            expires_at = excluded.expires_at, ended_at = NULL,
                            agent_id = coalesce(excluded.agent_id, sessions.agent_id),
                            workspace_id = coalesce(excluded.workspace_id, sessions.workspace_id)""")
                .bind("tenant", bundle.tenantId().value())
                .bind("session", bundle.sessionId().value())
                .bind("agent", agent == null ? null : agent.value())
                .bind("workspace", workspace == null ? null : workspace.value())
                .bind("bundle", PolicyBundleJson.write(bundle))
                .bind("expires", bundle.expiresAt())
                .execute());
    }

    /** Ends a session; effective for the next call. */
    public void end(TenantId tenant, SessionId session) {
        var _ = statements.run(handle -> handle.createUpdate("""
                        UPDATE sessions SET ended_at = CURRENT_TIMESTAMP
                        WHERE tenant_id = :tenant AND session_id = :session AND ended_at IS NULL""")
                .bind("tenant", tenant.value())
                .bind("session", session.value())
                .execute());
    }

    @Override
    public Optional<PolicyBundle> find(TenantId tenant, SessionId session) {
        return statements.ask(handle -> handle.createQuery("""
                        SELECT policy_bundle FROM sessions
                        WHERE tenant_id = :tenant AND session_id = :session AND ended_at IS NULL""")
                .bind("tenant", tenant.value())
                .bind("session", session.value())
                .mapTo(String.class)
                .findOne()
                .map(PolicyBundleJson::read));
    }
}
