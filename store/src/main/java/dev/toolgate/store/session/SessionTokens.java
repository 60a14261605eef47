package dev.toolgate.store.session;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * How many tokens of models each session has used or set aside; counted together by all servers, and kept as long as the
 * session.
 */
public final class SessionTokens {
    // The session is held, so that it cannot go between being found and being referred to.
    private static final String HELD = """
            WITH held AS (
                SELECT tenant_id, session_id FROM sessions
                WHERE tenant_id = :tenant AND session_id = :session FOR KEY SHARE)
            """;

    private final Statements statements;

    public SessionTokens(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** The tokens that this session has used or set aside; none if there is no such session. */
    public long spent(TenantId tenant, SessionId session) {
        return statements.ask(handle -> at(tenant, session, handle.createQuery("""
                        SELECT tokens FROM session_tokens
                        WHERE tenant_id = :tenant AND session_id = :session"""))
                .mapTo(long.class)
                .findOne()
                .orElse(0L));
    }

    /**
     * Sets tokens aside, however many servers do so at once: as many as are wanted or as are left of the most there may
     * be. Durable when this returns; whoever does not settle it has spent it.
     *
     * @return how many were set aside; 0 if fewer than the least are left, or there is no such session
     */
    public long reserve(TenantId tenant, SessionId session, long least, long wanted, long most) {
        if (least < 1 || wanted < least) {
            throw new IllegalArgumentException(
                    "Nobody can set aside " + wanted + " tokens and at least " + least + ".");
        }
        return statements.run(handle -> at(tenant, session, handle.createQuery(HELD + """
                        INSERT INTO session_tokens AS kept (tenant_id, session_id, tokens)
                        SELECT tenant_id, session_id, least(:wanted, :most) FROM held WHERE :least <= :most
                        ON CONFLICT (tenant_id, session_id) DO UPDATE
                            SET tokens = kept.tokens + least(:wanted, :most - kept.tokens)
                            WHERE kept.tokens <= :most - :least
                        RETURNING new.tokens - coalesce(old.tokens, 0)"""))
                .bind("least", least)
                .bind("wanted", wanted)
                .bind("most", most)
                .mapTo(long.class)
                .findOne()
                .orElse(0L));
    }

    /**
     * Counts what was used in place of what was set aside for it; durable when this returns. A sum beyond what a number
     * can hold stays at the highest, so that a model that reports nonsense does not give a session its budget back, and
     * what was never set aside, as in a later session of the same name, is not given back either. Nothing is kept for a
     * session that is not there.
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
