package dev.toolgate.store.identity;

import dev.toolgate.store.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/** Who is logged in to the console, by the digest of what their browser holds. */
public final class SessionTable {
    private static final int MOST_PER_KEY = 100;

    private final Statements statements;

    public SessionTable(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** Somebody logs in; beyond a hundred sessions of one key the oldest ends. */
    public void add(SecretDigest session, ApiKey key, Instant now) {
        statements.<Integer>runTogether(handle -> {
            handle.createUpdate("""
                            INSERT INTO console_sessions (session_hash, tenant_id, key_id, created_at, last_seen_at)
                            VALUES (:session, :tenant, :key, :now, :now)""")
                    .bind("session", session.bytes())
                    .bind("tenant", key.tenant().value())
                    .bind("key", key.id())
                    .bind("now", now)
                    .execute();
            return handle.createUpdate("""
                            DELETE FROM console_sessions WHERE session_hash IN (
                                SELECT session_hash FROM console_sessions WHERE key_id = :key
                                ORDER BY created_at DESC OFFSET :most)""")
                    .bind("key", key.id())
                    .bind("most", MOST_PER_KEY)
                    .execute();
        });
    }

    /** A session, ended by time or not. */
    public Optional<StoredSession> find(SecretDigest session) {
        return statements.run(handle -> handle.createQuery("SELECT s.created_at AS begun, s.last_seen_at, "
                        + KeyRows.COLUMNS + "FROM console_sessions s JOIN api_keys k USING (key_id)"
                        + " WHERE s.session_hash = :session")
                .bind("session", session.bytes())
                .map((row, _) -> read(row))
                .findOne());
    }

    /** A session was used. */
    public void seen(SecretDigest session, Instant now) {
        statements.run(handle -> handle.createUpdate("""
                        UPDATE console_sessions SET last_seen_at = :now
                        WHERE session_hash = :session AND last_seen_at < :now""")
                .bind("session", session.bytes())
                .bind("now", now)
                .execute());
    }

    /** Ends a session. */
    public void remove(SecretDigest session) {
        statements.run(handle -> handle.createUpdate("DELETE FROM console_sessions WHERE session_hash = :session")
                .bind("session", session.bytes())
                .execute());
    }

    /** Forgets what has ended by time. */
    public void removeUnseenSince(Instant time) {
        statements.run(handle -> handle.createUpdate("DELETE FROM console_sessions WHERE last_seen_at < :time")
                .bind("time", time)
                .execute());
    }

    private static StoredSession read(ResultSet row) throws SQLException {
        return new StoredSession(
                KeyRows.read(row),
                row.getObject("begun", OffsetDateTime.class).toInstant(),
                row.getObject("last_seen_at", OffsetDateTime.class).toInstant());
    }
}
