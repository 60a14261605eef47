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

/** Makes, lists and revokes keys. */
public final class ApiKeys {
    private static final int PREFIX_LENGTH = 11;
    private static final int MOST_LISTED = 1000;

    private final Statements statements;
    private final Consumer<TenantId> changed;

    /**
     * @param changed told after every change; {@link VerifiedKeys#changed} of this instance
     */
    public ApiKeys(Jdbi jdbi, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.changed = changed;
    }

    /**
     * Makes a key; an agent that is not known yet is from now on.
     *
     * @throws UnknownTarget if there is no such tenant
     */
    public MadeKey create(NewKey wanted) {
        String text = SecretText.API_KEY.make();
        ApiKey key = statements.runTogether(handle -> {
            requireTenant(handle, wanted.tenant());
            registerAgents(handle, wanted);
            return insert(handle, wanted, SecretDigest.of(text), prefix(text), Origin.REQUEST, null);
        });
        return new MadeKey(key, text);
    }

    /**
     * Makes a key that replaces another: the same role, agents and name, and the same principal in records. The old one
     * counts for a while longer, so that whoever holds it has the time to change.
     *
     * @param overlap how long the old one still counts, if it does not end sooner by itself
     * @param expiresAt when the new one ends by itself, if ever
     */
    public Rotation rotate(TenantId tenant, UUID id, Duration overlap, @Nullable Instant expiresAt, String by) {
        String text = SecretText.API_KEY.make();
        Rotation rotation = statements.runTogether(handle -> {
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
                return new Rotation.Before();
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
                    new MadeKey(made, text), find(handle, tenant, id).orElseThrow());
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
     * The keys of a tenant, newest first, revoked ones included.
     *
     * @param after only keys older than the one with this id, if given: the page that follows
     */
    public List<ApiKey> list(TenantId tenant, @Nullable UUID after, int limit) {
        return statements.run(handle -> handle.createQuery("SELECT " + KeyRows.COLUMNS + """
                        FROM api_keys k WHERE tenant_id = :tenant AND (:after::uuid IS NULL OR (created_at, key_id) < (
                            SELECT created_at, key_id FROM api_keys WHERE tenant_id = :tenant AND key_id = :after::uuid))
                        ORDER BY created_at DESC, key_id DESC LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after)
                .bind("limit", Math.clamp(limit, 1, MOST_LISTED))
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
     * Ends a key and everything that was logged in with it, on every instance within a second.
     *
     * @return whether there was one to end
     */
    public boolean revoke(TenantId tenant, UUID id, String by) {
        boolean revoked = statements.runTogether(handle -> end(handle, tenant, id, by));
        changed.accept(tenant);
        return revoked;
    }

    /**
     * Ends a key as {@link #revoke} does, but not the last one with which somebody can administer the tenant.
     * Two at once cannot end the last two.
     */
    public Revocation revokeUnlessLastAdmin(TenantId tenant, UUID id, String by) {
        Revocation revocation = statements.runTogether(handle -> {
            handle.execute("SELECT 1 FROM tenants WHERE tenant_id = ? FOR NO KEY UPDATE", tenant.value());
            if (isLastAdmin(handle, tenant, id)) {
                return Revocation.LAST_ADMIN;
            }
            return end(handle, tenant, id, by) ? Revocation.DONE : Revocation.NOT_THERE;
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

    // Held until the end, so that it cannot go while the key is made.
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
                .sorted() // so that two requests cannot wait for each other
                .forEach(agent -> handle.createUpdate(
                                "INSERT INTO agents (tenant_id, agent_id) VALUES (:tenant, :agent) ON CONFLICT DO NOTHING")
                        .bind("tenant", key.tenant().value())
                        .bind("agent", agent)
                        .execute());
    }
}
