package dev.toolgate.store.session;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import dev.toolgate.store.batch.BatchPace;
import dev.toolgate.store.batch.SharedReads;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import dev.toolgate.store.connection.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

/** Sessions and their policy bundles in PostgreSQL, read in batches for concurrent callers. */
public final class PostgresPolicies implements Policies {
    /** The minimum interval between queries, so that the concurrent calls of a session share one. */
    private static final Duration MIN_INTERVAL = Duration.ofNanos(400_000);

    private static final String SELECT =
            "SELECT s.tenant_id, s.session_id, s.policy_bundle, s.agent_id, s.workspace_id, s.ended_at FROM ";
    private static final String MANY = SELECT + """
            unnest(?::text[], ?::text[]) AS wanted (tenant_id, session_id)
            JOIN sessions s ON s.tenant_id = wanted.tenant_id AND s.session_id = wanted.session_id""";
    // By itself, since a query for one key is planned once, and one for arrays again for every query.
    private static final String ONE = SELECT + "sessions s WHERE s.tenant_id = ? AND s.session_id = ?";

    private final Statements statements;
    private final DataSource pool;
    private final ParsedBundles bundles = new ParsedBundles();
    private final SharedReads<Key, Session> reads = new SharedReads<>(BatchPace.of(() -> MIN_INTERVAL), this::find);

    public PostgresPolicies(Jdbi jdbi, DataSource pool) {
        this.statements = new Statements(jdbi);
        this.pool = pool;
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

    // By JDBC alone: this is read for every call, and Jdbi's own work would cost more than the query.
    private Map<Key, Session> find(Collection<Key> keys) {
        try (Connection connection = ShortTimeoutConnection.from(pool);
                PreparedStatement query = query(connection, keys);
                ResultSet row = query.executeQuery()) {
            Map<Key, Session> found = new HashMap<>();
            while (row.next()) {
                found.put(
                        new Key(row.getString("tenant_id"), row.getString("session_id")),
                        SessionRows.session(row, bundles::read));
            }
            return found;
        } catch (SQLException failed) {
            throw Statements.failure(failed);
        }
    }

    private static PreparedStatement query(Connection connection, Collection<Key> keys) throws SQLException {
        if (keys.size() == 1) {
            PreparedStatement one = connection.prepareStatement(ONE);
            Key only = keys.iterator().next();
            one.setString(1, only.tenant);
            one.setString(2, only.session);
            return one;
        }
        PreparedStatement many = connection.prepareStatement(MANY);
        many.setArray(
                1,
                connection.createArrayOf("text", keys.stream().map(Key::tenant).toArray()));
        many.setArray(
                2,
                connection.createArrayOf("text", keys.stream().map(Key::session).toArray()));
        return many;
    }
}
