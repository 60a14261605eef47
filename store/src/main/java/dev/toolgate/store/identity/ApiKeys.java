package dev.toolgate.store.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.grant.UnknownTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Creates, rotates, lists and revokes API keys. */
public final class ApiKeys {
    private static final int PREFIX_LENGTH = 11;
    private static final int MAX_PAGE_SIZE = 1000;

    private final Statements statements;
    private final Consumer<TenantId> changed;

    /**
     * @param changed called after every change; {@link KeyCache#changed} of this instance
     */
    public ApiKeys(Jdbi jdbi, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.changed = changed;
    }

    /**
     * Creates a key, and its agent if it does not exist.
     *
     * @throws UnknownTarget if the tenant does not exist
     */
    public CreatedKey create(NewKey wanted) {
        String text = SecretText.API_KEY.generate();
        ApiKey key = statements.inTransaction(handle -> {
            requireTenant(handle, wanted.tenant());
            registerAgents(handle, wanted);
            return insert(handle, wanted, SecretDigest.of(text), prefix(text), Origin.REQUEST, null);
        });
        return new CreatedKey(key, text);
    }

    /**
     * Creates a key that replaces another: the same role, agents and name, and the same principal in records. The old
     * one stays valid for a while, so that clients can be updated.
     *
     * @param overlap how long the old one stays valid, unless it expires sooner
     * @param expiresAt when the new one expires, if ever
     */
    public Rotation rotate(TenantId tenant, UUID id, Duration overlap, @Nullable Instant expiresAt, String by) {
        String text = SecretText.API_KEY.generate();
        Rotation rotation = statements.inTransaction(handle -> {
            Optional<ApiKey> found = handle.createQuery("SELECT " + KeyRows.COLUMNS + """
                            FROM api_keys k WHERE tenant_id = :tenant AND key_id = :id AND revoked_at IS NULL
                              AND origin = 'request' AND (expires_at IS NULL OR expires_at > clock_timestamp())
                            FOR NO KEY UPDATE""")
                    .bind("tenant", tenant.value())
                    .bind("id", id)
                    .map((row, _) -> KeyRows.read(row))
                    .findOne();
            if (found.isEmpty()) {
                return new Rotation.NotPossible();
            }
            ApiKey old = found.get();
            if (isReplaced(handle, id)) {
                return new Rotation.AlreadyReplaced();
            }
            handle.createUpdate("""
                            UPDATE api_keys
                            SET expires_at = least(expires_at, clock_timestamp() + :overlap * INTERVAL '1 millisecond')
                            WHERE key_id = :id""")
                    .bind("overlap", overlap.toMillis())
                    .bind("id", id)
                    .execute();
            NewKey wanted = new NewKey(tenant, old.role(), old.agent(), old.agents(), old.name(), expiresAt, by);
            ApiKey made = insert(handle, wanted, SecretDigest.of(text), prefix(text), Origin.REQUEST, old);
            return new Rotation.Done(
                    new CreatedKey(made, text), find(handle, tenant, id).orElseThrow());
        });
        changed.accept(tenant);
        return rotation;
    }

    private static boolean isReplaced(Handle handle, UUID id) {
        return handle.createQuery(
                        "SELECT EXISTS (SELECT FROM api_keys WHERE rotated_from = :id AND revoked_at IS NULL)")
                .bind("id", id)
                .mapTo(boolean.class)
                .one();
    }

    /**
     * The keys of a tenant, newest first, including revoked ones.
     *
     * @param after the last key of the previous page, if any
     */
    public List<ApiKey> list(TenantId tenant, @Nullable UUID after, int limit) {
        return statements.run(handle -> handle.createQuery("SELECT " + KeyRows.COLUMNS + """
                        FROM api_keys k WHERE tenant_id = :tenant AND (:after::uuid IS NULL OR (created_at, key_id) < (
                            SELECT created_at, key_id FROM api_keys WHERE tenant_id = :tenant AND key_id = :after::uuid))
                        ORDER BY created_at DESC, key_id DESC LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after)
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map((row, _) -> KeyRows.read(row))
                .list());
    }

    /** One key of a tenant. */
    public Optional<ApiKey> find(TenantId tenant, UUID id) {
        return statements.run(handle -> find(handle, tenant, id));
    }

    private static Optional<ApiKey> find(Handle handle, TenantId tenant, UUID id) {
        return handle.createQuery(
                        "SELECT " + KeyRows.COLUMNS + "FROM api_keys k WHERE tenant_id = :tenant AND key_id = :id")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> KeyRows.read(row))
                .findOne();
    }

    /**
     * Revokes a key and ends the console log-ins made with it, on every instance within a second.
     *
     * @return whether it existed and was not revoked before
     */
    public boolean revoke(TenantId tenant, UUID id, String by) {
        boolean revoked = statements.inTransaction(handle -> end(handle, tenant, id, by));
        changed.accept(tenant);
        return revoked;
    }

    /**
     * Revokes a key like {@link #revoke}, but not the last admin key of the tenant. Serialized, so that two concurrent
     * calls cannot revoke the last two.
     */
    public Revocation revokeUnlessLastAdmin(TenantId tenant, UUID id, String by) {
        Revocation revocation = statements.inTransaction(handle -> {
            handle.execute("SELECT 1 FROM tenants WHERE tenant_id = ? FOR NO KEY UPDATE", tenant.value());
            if (isLastAdmin(handle, tenant, id)) {
                return Revocation.LAST_ADMIN;
            }
            return end(handle, tenant, id, by) ? Revocation.DONE : Revocation.NOT_FOUND;
        });
        changed.accept(tenant);
        return revocation;
    }

    private static boolean end(Handle handle, TenantId tenant, UUID id, String by) {
        handle.createUpdate("DELETE FROM console_sessions WHERE tenant_id = :tenant AND key_id = :id")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .execute();
        return handle.createUpdate("""
                                UPDATE api_keys SET revoked_at = CURRENT_TIMESTAMP, revoked_by = :by
                                WHERE tenant_id = :tenant AND key_id = :id AND revoked_at IS NULL""")
                        .bind("tenant", tenant.value())
                        .bind("id", id)
                        .bind("by", by)
                        .execute()
                > 0;
    }

    private static boolean isLastAdmin(Handle handle, TenantId tenant, UUID id) {
        return handle.createQuery("""
                        SELECT coalesce(bool_and(key_id = :id), false) FROM api_keys
                        WHERE tenant_id = :tenant AND role = 'admin' AND revoked_at IS NULL
                          AND (expires_at IS NULL OR expires_at > clock_timestamp())""")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .mapTo(boolean.class)
                .one();
    }

    static ApiKey insert(
            Handle handle, NewKey key, SecretDigest digest, String prefix, Origin origin, @Nullable ApiKey replaced) {
        UUID id = handle.createQuery("""
                        INSERT INTO api_keys (tenant_id, key_hash, key_prefix, role, agent_id, name, created_by, expires_at,
                            origin, rotated_from, principal_id)
                        VALUES (:tenant, :hash, :prefix, :role, :agent, :name, :by, :expires, :origin, :replaced::uuid,
                            :principal::uuid)
                        RETURNING key_id""")
                .bind("tenant", key.tenant().value())
                .bind("hash", digest.bytes())
                .bind("prefix", prefix)
                .bind("role", key.role())
                .bind("agent", key.agent() == null ? null : key.agent().value())
                .bind("name", key.name())
                .bind("by", key.createdBy())
                .bind("expires", key.expiresAt())
                .bind("origin", origin.column())
                .bind("replaced", replaced == null ? null : replaced.id())
                .bind("principal", replaced == null ? null : replaced.principalId())
                .mapTo(UUID.class)
                .one();
        for (AgentId agent : key.agents()) {
            handle.execute(
                    "INSERT INTO key_agents (key_id, tenant_id, agent_id) VALUES (?, ?, ?)",
                    id,
                    key.tenant().value(),
                    agent.value());
        }
        return find(handle, key.tenant(), id).orElseThrow();
    }

    static String prefix(String text) {
        return text.substring(0, PREFIX_LENGTH);
    }

    // Locked until the commit, so that the tenant cannot be deleted before.
    private static void requireTenant(Handle handle, TenantId tenant) {
        boolean exists = handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR KEY SHARE")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .findOne()
                .isPresent();
        if (!exists) {
            throw new UnknownTarget("tenant", tenant.value());
        }
    }

    private static void registerAgents(Handle handle, NewKey key) {
        Stream.concat(Stream.ofNullable(key.agent()), key.agents().stream())
                .map(AgentId::value)
                .sorted() // to avoid deadlocks
                .forEach(agent -> handle.createUpdate(
                                "INSERT INTO agents (tenant_id, agent_id) VALUES (:tenant, :agent) ON CONFLICT DO NOTHING")
                        .bind("tenant", key.tenant().value())
                        .bind("agent", agent)
                        .execute());
    }
}
