package dev.toolgate.store.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.store.connection.Statements;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Sessions of MCP clients in PostgreSQL, each under the hash of its id; all instances on the database share them. */
public final class McpSessionTable {
    private static final int DELETE_BATCH = 10_000;

    private final Statements statements;
    private final Duration maxIdle;
    private final int maxPerTenant;

    /**
     * @param maxIdle how long an unused session is kept
     * @param maxPerTenant the maximum per tenant; the least recently used are deleted first
     */
    public McpSessionTable(Jdbi jdbi, Duration maxIdle, int maxPerTenant) {
        this.statements = new Statements(jdbi);
        this.maxIdle = maxIdle;
        this.maxPerTenant = maxPerTenant;
    }

    /**
     * Stores a new session.
     *
     * @throws Unavailable if the database cannot be reached
     */
    public void insert(String id, TenantId tenant, String record) {
        statements.run(handle -> handle.createUpdate(
                        "INSERT INTO mcp_sessions (session_hash, tenant_id, record) VALUES (:hash, :tenant, :record)")
                .bind("hash", hash(id))
                .bind("tenant", tenant.value())
                .bind("record", record)
                .execute());
    }

    /**
     * Returns a session and marks it as used; empty if it does not exist or has expired.
     *
     * @throws Unavailable if the database cannot be reached
     */
    public Optional<String> use(String id) {
        return statements.query(handle -> handle.createQuery("""
                        UPDATE mcp_sessions SET last_used_at = now()
                        WHERE session_hash = :hash AND last_used_at > now() - make_interval(secs => :idle)
                        RETURNING record""")
                .bind("hash", hash(id))
                .bind("idle", (double) maxIdle.toSeconds())
                .mapTo(String.class)
                .findOne());
    }

    /** Changes a session atomically, if it exists. */
    public Optional<String> update(String id, UnaryOperator<String> change) {
        return statements.inTransaction(
                handle -> handle.createQuery("SELECT record FROM mcp_sessions WHERE session_hash = :hash FOR UPDATE")
                        .bind("hash", hash(id))
                        .mapTo(String.class)
                        .findOne()
                        .map(change)
                        .map(changed -> written(handle, id, changed)));
    }

    private static String written(Handle handle, String id, String record) {
        handle.createUpdate("UPDATE mcp_sessions SET record = :record, last_used_at = now() WHERE session_hash = :hash")
                .bind("hash", hash(id))
                .bind("record", record)
                .execute();
        return record;
    }

    /** Ends a session. */
    public void delete(String id) {
        statements.run(handle -> handle.createUpdate("DELETE FROM mcp_sessions WHERE session_hash = :hash")
                .bind("hash", hash(id))
                .execute());
    }

    /** Deletes a tenant's sessions beyond the limit. */
    public void trim(TenantId tenant) {
        statements.run(handle -> handle.createUpdate("""
                        DELETE FROM mcp_sessions WHERE session_hash = ANY (ARRAY(
                            SELECT session_hash FROM mcp_sessions WHERE tenant_id = :tenant
                            ORDER BY last_used_at DESC OFFSET :max LIMIT :rows))""")
                .bind("tenant", tenant.value())
                .bind("max", maxPerTenant)
                .bind("rows", DELETE_BATCH)
                .execute());
    }

    /** Deletes expired sessions in batches. */
    public void deleteIdle() {
        int deleted;
        do {
            deleted = statements.run(handle -> handle.createUpdate("""
                            DELETE FROM mcp_sessions WHERE session_hash = ANY (ARRAY(
                                SELECT session_hash FROM mcp_sessions
                                WHERE last_used_at < now() - make_interval(secs => :idle) LIMIT :rows))""")
                    .bind("idle", (double) maxIdle.toSeconds())
                    .bind("rows", DELETE_BATCH)
                    .execute());
        } while (deleted > 0);
    }

    private static byte[] hash(String id) {
        return Sha256.of(id.getBytes(StandardCharsets.UTF_8));
    }
}
