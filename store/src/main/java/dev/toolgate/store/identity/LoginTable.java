package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Console log-ins, by the digest of their cookie. */
public final class LoginTable {
    private static final int MAX_PER_OWNER = 100;

    private enum Column {
        KEY("key_id"),
        PERSON("person_id");

        private final String sql;

        Column(String sql) {
            this.sql = sql;
        }
    }

    private final Statements statements;

    public LoginTable(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Adds a log-in with a key; beyond a hundred with one key the oldest is deleted. */
    public void add(SecretDigest session, ApiKey key, Instant now) {
        add(session, key.tenant(), Column.KEY, key.id(), Set.of(), null, now);
    }

    /**
     * Adds a log-in of a person; beyond a hundred of one person the oldest is deleted.
     *
     * @param groups that determine the role
     * @param token the encrypted identity token; null to store none
     */
    public void add(
            SecretDigest session, StoredPerson person, Set<String> groups, @Nullable SealedBytes token, Instant now) {
        add(session, person.tenant(), Column.PERSON, person.id(), groups, token, now);
    }

    private void add(
            SecretDigest session,
            TenantId tenant,
            Column column,
            UUID owner,
            Set<String> groups,
            @Nullable SealedBytes token,
            Instant now) {
        statements.<Integer>inTransaction(handle -> {
            handle.createUpdate("INSERT INTO console_sessions (session_hash, tenant_id, " + column.sql + """
                            , groups, token_key_id, token_sealed, created_at, last_seen_at)
                            VALUES (:session, :tenant, :owner, :groups, :tokenKey, :token, :now, :now)""")
                    .bind("session", session.bytes())
                    .bind("tenant", tenant.value())
                    .bind("owner", owner)
                    .bindArray("groups", String.class, groups)
                    .bind("tokenKey", token == null ? null : token.keyId())
                    .bind("token", token == null ? null : token.bytes())
                    .bind("now", now)
                    .execute();
            return handle.createUpdate("""
                            DELETE FROM console_sessions WHERE session_hash IN (
                                SELECT session_hash FROM console_sessions WHERE %s = :owner
                                ORDER BY created_at DESC OFFSET :most)""".formatted(column.sql))
                    .bind("owner", owner)
                    .bind("most", MAX_PER_OWNER)
                    .execute();
        });
    }

    /** Finds a log-in, which may have expired. */
    public Optional<StoredLogin> find(SecretDigest session) {
        return statements.run(handle -> handle.createQuery(
                        "SELECT s.created_at AS begun, s.last_seen_at, s.tenant_id AS login_tenant, s.groups, "
                                + People.COLUMNS + ", " + KeyRows.COLUMNS
                                + "FROM console_sessions s LEFT JOIN api_keys k USING (key_id)"
                                + " LEFT JOIN people p USING (person_id) WHERE s.session_hash = :session")
                .bind("session", session.bytes())
                .map((row, _) -> read(row))
                .findOne());
    }

    /** The encrypted identity token of a log-in. */
    public Optional<SealedBytes> token(SecretDigest session) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT token_key_id, token_sealed FROM console_sessions
                        WHERE session_hash = :session AND token_sealed IS NOT NULL""")
                .bind("session", session.bytes())
                .map((row, _) -> new SealedBytes(row.getString("token_key_id"), row.getBytes("token_sealed")))
                .findOne());
    }

    /** Records that a log-in was used. */
    public void seen(SecretDigest session, Instant now) {
        statements.run(handle -> handle.createUpdate("""
                        UPDATE console_sessions SET last_seen_at = :now
                        WHERE session_hash = :session AND last_seen_at < :now""")
                .bind("session", session.bytes())
                .bind("now", now)
                .execute());
    }

    /** Deletes a log-in. */
    public void remove(SecretDigest session) {
        statements.run(handle -> handle.createUpdate("DELETE FROM console_sessions WHERE session_hash = :session")
                .bind("session", session.bytes())
                .execute());
    }

    /** Deletes expired log-ins. */
    public void removeUnseenSince(Instant time) {
        statements.run(handle -> handle.createUpdate("DELETE FROM console_sessions WHERE last_seen_at < :time")
                .bind("time", time)
                .execute());
    }

    private static StoredLogin read(ResultSet row) throws SQLException {
        return new StoredLogin(
                row.getObject("person_id") == null
                        ? new LoginOwner.OfKey(KeyRows.read(row))
                        : new LoginOwner.OfPerson(
                                People.read(row), new TenantId(row.getString("login_tenant")), groups(row)),
                Timestamps.read(row, "begun"),
                Timestamps.read(row, "last_seen_at"));
    }

    private static Set<String> groups(ResultSet row) throws SQLException {
        return Set.of((String[]) row.getArray("groups").getArray());
    }
}
