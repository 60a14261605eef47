package dev.toolgate.store.session;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import dev.toolgate.store.batch.BatchPace;
import dev.toolgate.store.batch.SharedReads;
import dev.toolgate.store.connection.Statements;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/** Sessions and their policy bundles in PostgreSQL, read in batches for concurrent callers. */
public final class PostgresPolicies implements Policies {
    /** The minimum interval between queries, so that the concurrent calls of a session share one. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);

    private static final String SELECT =
            "SELECT s.tenant_id, s.session_id, s.policy_bundle, s.agent_id, s.workspace_id, s.ended_at FROM ";
    private static final String MANY = SELECT + """
            unnest(:tenants::text[], :sessions::text[]) AS wanted (tenant_id, session_id)
            JOIN sessions s ON s.tenant_id = wanted.tenant_id AND s.session_id = wanted.session_id""";
    // By itself, since a query for one key is planned once, and one for arrays again for every query.
    private static final String ONE = SELECT + "sessions s WHERE s.tenant_id = :tenant AND s.session_id = :session";

    private final Statements statements;
    private final SharedReads<Key, Session> reads = new SharedReads<>(BatchPace.of(() -> MIN_INTERVAL), this::find);

    public PostgresPolicies(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Starts a session with this bundle, or replaces the bundle of an existing one. */
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

    /** Ends a session; takes effect for the next call. */
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
        return reads.read(new Key(tenant.value(), session.value()));
    }

    private record Key(String tenant, String session) {}

    private Map<Key, Session> find(Collection<Key> keys) {
        return statements.query(handle -> {
            Map<Key, Session> found = new HashMap<>();
            wanted(handle, keys)
                    .map((row, _) -> Map.entry(
                            new Key(row.getString("tenant_id"), row.getString("session_id")), SessionRows.session(row)))
                    .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
            return found;
        });
    }

    private static Query wanted(Handle handle, Collection<Key> keys) {
        if (keys.size() == 1) {
            Key only = keys.iterator().next();
            return handle.createQuery(ONE).bind("tenant", only.tenant).bind("session", only.session);
        }
        return handle.createQuery(MANY)
                .bindArray(
                        "tenants", String.class, keys.stream().map(Key::tenant).toList())
                .bindArray(
                        "sessions",
                        String.class,
                        keys.stream().map(Key::session).toList());
    }
}
