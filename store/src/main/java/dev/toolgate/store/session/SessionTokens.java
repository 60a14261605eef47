package dev.toolgate.store.session;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The model tokens that each session has used or reserved, across all servers; deleted with the
 * session.
 */
public final class SessionTokens {
    // The session is locked, so that it cannot be deleted before the insert.
    private static final String HELD = """
            WITH held AS (
                SELECT tenant_id, session_id FROM sessions
                WHERE tenant_id = :tenant AND session_id = :session FOR KEY SHARE)
            """;

    private final Statements statements;

    public SessionTokens(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** The tokens that this session has used or reserved; 0 if it does not exist. */
    public long spent(TenantId tenant, SessionId session) {
        return statements.query(handle -> at(tenant, session, handle.createQuery("""
                        SELECT tokens FROM session_tokens
                        WHERE tenant_id = :tenant AND session_id = :session"""))
                .mapTo(long.class)
                .findOne()
                .orElse(0L));
    }

    /**
     * Reserves tokens atomically across servers: as many as requested, or as are left of the maximum. Durable when this
     * returns; a reservation that is never settled counts as used.
     *
     * @param min the smallest useful reservation
     * @param max the budget of the session
     * @return the number of reserved tokens; 0 if fewer than the minimum are left, or the session does not exist
     */
    public long reserve(TenantId tenant, SessionId session, long min, long requested, long max) {
        if (min < 1 || requested < min) {
            throw new IllegalArgumentException(
                    "Cannot reserve " + requested + " tokens with a minimum of " + min + ".");
        }
        return statements.run(handle -> at(tenant, session, handle.createQuery(HELD + """
                        INSERT INTO session_tokens AS kept (tenant_id, session_id, tokens)
                        SELECT tenant_id, session_id, least(:wanted, :most) FROM held WHERE :least <= :most
                        ON CONFLICT (tenant_id, session_id) DO UPDATE
                            SET tokens = kept.tokens + least(:wanted, :most - kept.tokens)
                            WHERE kept.tokens <= :most - :least
                        RETURNING new.tokens - coalesce(old.tokens, 0)"""))
                .bind("least", min)
                .bind("wanted", requested)
                .bind("most", max)
                .mapTo(long.class)
                .findOne()
                .orElse(0L));
    }

    /**
     * Replaces a reservation by the tokens that were used; durable when this returns. The sum saturates instead of
     * overflowing, so that a model that reports a huge number does not reset the budget. A reservation that the session
     * does not have, for example of a deleted session with the same name, is not subtracted. Does nothing if the
     * session does not exist.
     */
    public void settle(TenantId tenant, SessionId session, long reserved, long used) {
        if (reserved < 0 || used < 0) {
            throw new IllegalArgumentException("Tokens cannot be negative: " + reserved + " and " + used + ".");
        }
        var _ = statements.run(handle -> at(tenant, session, handle.createUpdate(HELD + """
                        INSERT INTO session_tokens AS kept (tenant_id, session_id, tokens)
                        SELECT tenant_id, session_id, :used FROM held
                        ON CONFLICT (tenant_id, session_id) DO UPDATE SET tokens = least(
                            kept.tokens::numeric + excluded.tokens
                                - CASE WHEN kept.tokens < :reserved THEN 0 ELSE :reserved END,
                            9223372036854775807)::bigint"""))
                .bind("reserved", reserved)
                .bind("used", used)
                .execute());
    }

    private static <S extends SqlStatement<S>> S at(TenantId tenant, SessionId session, S statement) {
        return statement.bind("tenant", tenant.value()).bind("session", session.value());
    }
}
