package dev.toolgate.store.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Statements;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/** How many tokens of models each session has used; counted together by all servers, and kept as long as the session. */
public final class SessionTokens {
    private final Statements statements;

    public SessionTokens(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** The tokens that this session has used; none if there is no such session. */
    public long spent(TenantId tenant, SessionId session) {
        return statements.ask(handle -> at(tenant, session, handle.createQuery("""
                        SELECT tokens FROM session_tokens
                        WHERE tenant_id = :tenant AND session_id = :session"""))
                .mapTo(long.class)
                .findOne()
                .orElse(0L));
    }

    /**
     * Adds what was used; durable when this returns. A sum beyond what a number can hold stays at the highest, so that a
     * model that reports nonsense does not give a session its budget back. Nothing is kept for a session that is not there.
     */
    public void spend(TenantId tenant, SessionId session, long tokens) {
        if (tokens < 0) {
            throw new IllegalArgumentException("Tokens that were used cannot be negative: " + tokens + ".");
        }
        // The session is held, so that it cannot go between being found and being referred to.
        var _ = statements.run(handle -> at(tenant, session, handle.createUpdate("""
                        WITH held AS (
                            SELECT tenant_id, session_id FROM sessions
                            WHERE tenant_id = :tenant AND session_id = :session FOR KEY SHARE)
                        INSERT INTO session_tokens AS kept (tenant_id, session_id, tokens)
                        SELECT tenant_id, session_id, :tokens FROM held
                        ON CONFLICT (tenant_id, session_id) DO UPDATE SET tokens =
                            least(kept.tokens::numeric + excluded.tokens, 9223372036854775807)::bigint"""))
                .bind("tokens", tokens)
                .execute());
    }

    private static <S extends SqlStatement<S>> S at(TenantId tenant, SessionId session, S statement) {
        return statement.bind("tenant", tenant.value()).bind("session", session.value());
    }
}
