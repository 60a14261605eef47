package dev.toolgate.store.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import dev.toolgate.store.Statements;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/** Sessions and their policy bundles in PostgreSQL; each question is one read by primary key. */
public final class PostgresPolicies implements Policies {
    private final Statements statements;

    public PostgresPolicies(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Starts a session under this bundle, or replaces the bundle of a running one. */
    public void put(PolicyBundle bundle) {
        var _ = statements.run(handle -> handle.createUpdate("""
                        INSERT INTO sessions (tenant_id, session_id, policy_bundle, expires_at)
                        VALUES (:tenant, :session, :bundle::jsonb, :expires)
                        ON CONFLICT (tenant_id, session_id) DO UPDATE SET policy_bundle = excluded.policy_bundle,
                            expires_at = excluded.expires_at, ended_at = NULL""")
                .bind("tenant", bundle.tenantId().value())
                .bind("session", bundle.sessionId().value())
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
    public Optional<Session> find(TenantId tenant, SessionId session) {
        return statements.ask(handle -> handle.createQuery("""
                        SELECT policy_bundle, agent_id, workspace_id, ended_at FROM sessions
                        WHERE tenant_id = :tenant AND session_id = :session""")
                .bind("tenant", tenant.value())
                .bind("session", session.value())
                .map((row, _) -> SessionRows.session(row))
                .findOne());
    }
}
