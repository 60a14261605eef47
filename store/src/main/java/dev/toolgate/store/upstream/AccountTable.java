package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import dev.toolgate.store.identity.SealedBytes;
import dev.toolgate.store.identity.SecretDigest;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accounts at MCP servers, pending authorizations of accounts, and the gate's own registrations: all their SQL. */
public final class AccountTable {
    private static final int MAX_REQUESTS_PER_LOGIN = 10;
    private static final String COLUMNS =
            "account_id, tenant_id, server_name, subject, key_id, sealed, issuer, version,"
                    + " connected_by, connected_at, renewed_at";

    private final Statements statements;

    public AccountTable(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /** The account for a call: that of the first subject that has one. */
    public Optional<StoredAccount> find(TenantId tenant, ServerName server, List<AccountSubject> subjects) {
        List<String> texts = subjects.stream().map(AccountSubject::text).toList();
        return statements.query(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM mcp_accounts WHERE tenant_id = :tenant AND server_name = :server AND subject = ANY (:subjects)
                        ORDER BY array_position(:subjects, subject::text) LIMIT 1""")
                .bind("tenant", tenant.value())
                .bind("server", server.value())
                .bindArray("subjects", String.class, texts)
                .map((row, _) -> account(row))
                .findOne());
    }

    /** An account by its id; empty if it was disconnected or connected again. */
    public Optional<StoredAccount> find(TenantId tenant, UUID id) {
        return statements.query(handle -> handle.createQuery(
                        "SELECT " + COLUMNS + " FROM mcp_accounts WHERE tenant_id = :tenant AND account_id = :id")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> account(row))
                .findOne());
    }

    /**
     * The accounts of a tenant, sorted by id.
     *
     * @param subject only accounts of this subject; null for all
     * @param after the last account of the previous page; null for the first page
     */
    public List<StoredAccount> list(TenantId tenant, @Nullable String subject, @Nullable UUID after, int limit) {
        return statements.run(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM mcp_accounts WHERE tenant_id = :tenant
                          AND (:subject::text IS NULL OR subject = :subject)
                          AND (:after::uuid IS NULL OR account_id > :after::uuid)
                        ORDER BY account_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("subject", subject)
                .bind("after", after)
                .bind("limit", limit)
                .map((row, _) -> account(row))
                .list());
    }

    /** Stores a newly connected account in place of the subject's previous one. */
    public void connect(
            UUID id, TenantId tenant, ServerName server, String subject, SealedBytes token, String issuer, String by) {
        statements.run(handle -> handle.createUpdate("""
                        INSERT INTO mcp_accounts (account_id, tenant_id, server_name, subject, key_id, sealed, issuer,
                            connected_by)
                        VALUES (:id, :tenant, :server, :subject, :key, :sealed, :issuer, :by)
                        ON CONFLICT (tenant_id, server_name, subject) DO UPDATE
                        SET account_id = excluded.account_id, key_id = excluded.key_id, sealed = excluded.sealed,
                            issuer = excluded.issuer, version = 1, renewing_until = NULL,
                            connected_by = excluded.connected_by, connected_at = now(), renewed_at = now()""")
                .bind("id", id)
                .bind("tenant", tenant.value())
                .bind("server", server.value())
                .bind("subject", subject)
                .bind("key", token.keyId())
                .bind("sealed", token.bytes())
                .bind("issuer", issuer)
                .bind("by", by)
                .execute());
    }

    /**
     * Stores a renewed token; false if the account has been disconnected, connected again or renewed in the meantime.
     *
     * @param version of the token that was renewed
     */
    public boolean renew(UUID id, long version, SealedBytes token) {
        return statements.run(handle -> handle.createUpdate("""
                                UPDATE mcp_accounts SET key_id = :key, sealed = :sealed, version = version + 1,
                                    renewing_until = NULL, renewed_at = now()
                                WHERE account_id = :id AND version = :version""")
                        .bind("id", id)
                        .bind("version", version)
                        .bind("key", token.keyId())
                        .bind("sealed", token.bytes())
                        .execute())
                > 0;
    }

    /**
     * Claims the renewal of a token: a refresh token may be valid only once, so only one instance renews at a time.
     *
     * @param version of the token to renew
     * @param lease after which another instance may claim it, if this one does not finish
     * @return the end of the lease, which identifies the claim; empty if another instance has claimed it
     */
    public Optional<Instant> claimRenewal(UUID id, long version, Duration lease) {
        return statements.run(handle -> handle.createQuery("""
                        UPDATE mcp_accounts SET renewing_until = now() + make_interval(secs => :lease)
                        WHERE account_id = :id AND version = :version
                          AND (renewing_until IS NULL OR renewing_until < now())
                        RETURNING renewing_until""")
                .bind("id", id)
                .bind("version", version)
                .bind("lease", (double) lease.toSeconds())
                .map((row, _) -> Timestamps.read(row, "renewing_until"))
                .findOne());
    }

    /** Releases a claim whose renewal failed, unless another instance has claimed it since. */
    public void releaseRenewal(UUID id, Instant claimedUntil) {
        statements.run(handle -> handle.createUpdate(
                        "UPDATE mcp_accounts SET renewing_until = NULL WHERE account_id = :id AND renewing_until = :until")
                .bind("id", id)
                .bind("until", claimedUntil.atOffset(ZoneOffset.UTC))
                .execute());
    }

    /** Deletes an account and returns it as it was last, with the token to revoke; empty if there is none. */
    public Optional<StoredAccount> disconnect(TenantId tenant, UUID id) {
        return statements.run(handle -> handle.createQuery(
                        "DELETE FROM mcp_accounts WHERE tenant_id = :tenant AND account_id = :id RETURNING " + COLUMNS)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> account(row))
                .findOne());
    }

    /** Deletes accounts of a server that is being removed, and returns at most this many, whose tokens can be revoked. */
    static List<StoredAccount> disconnectAll(Handle handle, TenantId tenant, ServerName server, int max) {
        return handle.createQuery("""
                        DELETE FROM mcp_accounts WHERE account_id IN (
                            SELECT account_id FROM mcp_accounts WHERE tenant_id = :tenant AND server_name = :server
                            ORDER BY account_id LIMIT :max FOR UPDATE)
                        RETURNING\s""" + COLUMNS)
                .bind("tenant", tenant.value())
                .bind("server", server.value())
                .bind("max", max)
                .map((row, _) -> account(row))
                .list();
    }

    /** Deletes all accounts of a server that is being removed, and returns how many there were. */
    static int disconnectAll(Handle handle, TenantId tenant, ServerName server) {
        return handle.createUpdate("DELETE FROM mcp_accounts WHERE tenant_id = :tenant AND server_name = :server")
                .bind("tenant", tenant.value())
                .bind("server", server.value())
                .execute();
    }

    /** Whether a subject has an account at a server. */
    public boolean isConnected(TenantId tenant, ServerName server, String subject) {
        return statements.query(handle -> handle.createQuery("""
                        SELECT EXISTS (SELECT FROM mcp_accounts
                            WHERE tenant_id = :tenant AND server_name = :server AND subject = :subject)""")
                .bind("tenant", tenant.value())
                .bind("server", server.value())
                .bind("subject", subject)
                .mapTo(Boolean.class)
                .one());
    }

    /** Deletes an account; false if it has been disconnected, connected again or renewed in the meantime. */
    public boolean disconnect(UUID id, long version) {
        return statements.run(handle -> handle.createUpdate(
                                "DELETE FROM mcp_accounts WHERE account_id = :id AND version = :version")
                        .bind("id", id)
                        .bind("version", version)
                        .execute())
                > 0;
    }

    /**
     * Stores an authorization that was begun; deletes expired ones, and the oldest of the same log-in beyond the limit.
     */
    public void begin(AccountRequest request) {
        statements.<Integer>inTransaction(handle -> {
            handle.createUpdate("DELETE FROM mcp_account_requests WHERE expires_at < now()")
                    .execute();
            handle.createUpdate("""
                            DELETE FROM mcp_account_requests WHERE state_hash IN (
                                SELECT state_hash FROM mcp_account_requests WHERE login_hash = :login
                                ORDER BY expires_at DESC OFFSET :max)""")
                    .bind("login", request.login().bytes())
                    .bind("max", MAX_REQUESTS_PER_LOGIN - 1)
                    .execute();
            return handle.createUpdate("""
                            INSERT INTO mcp_account_requests (state_hash, browser_hash, login_hash, tenant_id, server_name,
                                subject, key_id, sealed, expires_at)
                            VALUES (:state, :browser, :login, :tenant, :server, :subject, :key, :sealed, :expires)""")
                    .bind("state", request.state().bytes())
                    .bind("browser", request.browser().bytes())
                    .bind("login", request.login().bytes())
                    .bind("tenant", request.tenant().value())
                    .bind("server", request.server().value())
                    .bind("subject", request.subject())
                    .bind("key", request.pending().keyId())
                    .bind("sealed", request.pending().bytes())
                    .bind("expires", request.expiresAt().atOffset(ZoneOffset.UTC))
                    .execute();
        });
    }

    /** Removes and returns an authorization that was begun in this browser; it can be used once. */
    public Optional<AccountRequest> take(SecretDigest state, SecretDigest browser) {
        return statements.run(handle -> handle.createQuery("""
                        DELETE FROM mcp_account_requests
                        WHERE state_hash = :state AND browser_hash = :browser AND expires_at > now()
                        RETURNING login_hash, tenant_id, server_name, subject, key_id, sealed, expires_at""")
                .bind("state", state.bytes())
                .bind("browser", browser.bytes())
                .map((row, _) -> new AccountRequest(
                        state,
                        browser,
                        digest(row.getBytes("login_hash")),
                        new TenantId(row.getString("tenant_id")),
                        new ServerName(row.getString("server_name")),
                        row.getString("subject"),
                        new SealedBytes(row.getString("key_id"), row.getBytes("sealed")),
                        Timestamps.read(row, "expires_at")))
                .findOne());
    }

    /** The gate's registration with an authorization server. */
    public Optional<SealedBytes> client(TenantId tenant, String issuer, String redirectUri) {
        return statements.query(handle -> handle.createQuery("""
                        SELECT key_id, sealed FROM mcp_oauth_clients
                        WHERE tenant_id = :tenant AND issuer = :issuer AND redirect_uri = :redirect""")
                .bind("tenant", tenant.value())
                .bind("issuer", issuer)
                .bind("redirect", redirectUri)
                .map((row, _) -> new SealedBytes(row.getString("key_id"), row.getBytes("sealed")))
                .findOne());
    }

    /**
     * Stores a registration, unless there is one already that is encrypted with the same key: of several instances that
     * register at once, all use that of the first.
     *
     * @return the one in force
     */
    public SealedBytes keepClient(TenantId tenant, String issuer, String redirectUri, SealedBytes client) {
        // Without a change the conflicting row is updated as well, so that it is returned.
        return statements.run(handle -> handle.createQuery("""
                        INSERT INTO mcp_oauth_clients AS c (tenant_id, issuer, redirect_uri, key_id, sealed)
                        VALUES (:tenant, :issuer, :redirect, :key, :sealed)
                        ON CONFLICT (tenant_id, issuer, redirect_uri) DO UPDATE
                        SET key_id = excluded.key_id,
                            sealed = CASE WHEN c.key_id = excluded.key_id THEN c.sealed ELSE excluded.sealed END
                        RETURNING key_id, sealed""")
                .bind("tenant", tenant.value())
                .bind("issuer", issuer)
                .bind("redirect", redirectUri)
                .bind("key", client.keyId())
                .bind("sealed", client.bytes())
                .map((row, _) -> new SealedBytes(row.getString("key_id"), row.getBytes("sealed")))
                .one());
    }

    /** Deletes a registration, unless it has been replaced. */
    public void forgetClient(TenantId tenant, String issuer, String redirectUri, SealedBytes client) {
        statements.run(handle -> handle.createUpdate("""
                        DELETE FROM mcp_oauth_clients
                        WHERE tenant_id = :tenant AND issuer = :issuer AND redirect_uri = :redirect AND sealed = :sealed""")
                .bind("tenant", tenant.value())
                .bind("issuer", issuer)
                .bind("redirect", redirectUri)
                .bind("sealed", client.bytes())
                .execute());
    }

    private static StoredAccount account(ResultSet row) throws SQLException {
        return new StoredAccount(
                row.getObject("account_id", UUID.class),
                new TenantId(row.getString("tenant_id")),
                new ServerName(row.getString("server_name")),
                row.getString("subject"),
                new SealedBytes(row.getString("key_id"), row.getBytes("sealed")),
                row.getString("issuer"),
                row.getLong("version"),
                row.getString("connected_by"),
                Timestamps.read(row, "connected_at"),
                Timestamps.read(row, "renewed_at"));
    }

    private static SecretDigest digest(byte[] bytes) {
        ByteBuffer read = ByteBuffer.wrap(bytes);
        return new SecretDigest(read.getLong(), read.getLong(), read.getLong(), read.getLong());
    }
}
