package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.store.connection.ConnectionPermits;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import dev.toolgate.store.version.TenantVersions;
import dev.toolgate.store.version.VersionTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Grants in PostgreSQL, cached in memory. A cached entry is used only if the version of the
 * tenant's permissions was confirmed at most half a second ago; if the version cannot be
 * checked, the result is an error, which denies the call. Uses are always counted in the database.
 */
public final class PostgresGrants implements Grants, AutoCloseable {
    private static final int MAX_AGENTS = 200_000;
    private static final int MAX_CONCURRENT_LOADS = 6;

    private final Map<Key, AgentGrants> agents = new ConcurrentHashMap<>();
    private final ConnectionPermits loading = new ConnectionPermits(MAX_CONCURRENT_LOADS, "permissions");
    private final DataSource pool;
    private final GrantRows rows;
    private final GrantUses uses;
    private final TenantVersions versions;
    private final Clock clock;

    /**
     * @param connections for queries, version checks and change notifications
     */
    public PostgresGrants(Connections connections, Conditions conditions, Clock clock) {
        this.pool = connections.pool();
        this.rows = new GrantRows(new CompiledConditions(conditions)::of);
        this.uses = new GrantUses(pool);
        this.versions = new TenantVersions(VersionTable.PERMISSIONS, connections);
        this.clock = clock;
    }

    @Override
    public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
        return grantsOf(tenant, agent).find(tool);
    }

    @Override
    public Optional<Refusal> refusal(TenantId tenant, AgentId agent, String tool) {
        return Optional.ofNullable(grantsOf(tenant, agent).refused().get(tool));
    }

    /** Without expired and used-up grants; conditions are not evaluated. */
    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        AgentGrants cached = grantsOf(tenant, agent);
        return cached.usable(clock.instant(), uses.unspent(tenant, cached.uses()));
    }

    @Override
    public int usesLeft(TenantId tenant, Uses limited) {
        return uses.left(tenant, limited);
    }

    @Override
    public boolean use(TenantId tenant, Uses limited) {
        return uses.take(tenant, limited);
    }

    /** Makes the next lookup for this tenant check the version in the database. */
    public void changed(TenantId tenant) {
        versions.changed(tenant);
    }

    /**
     * A number that grows with every change of a tenant's permissions.
     *
     * @throws dev.toolgate.core.call.Unavailable if it cannot be queried
     */
    public long version(TenantId tenant) {
        return versions.current(tenant);
    }

    private AgentGrants grantsOf(TenantId tenant, AgentId agent) {
        long current = versions.current(tenant);
        Key key = new Key(tenant, agent);
        AgentGrants cached = inMemory(key, current);
        return cached != null
                ? cached
                : loading.withPermit(() -> {
                    AgentGrants loaded = inMemory(key, versions.current(tenant)); // another caller may have loaded it
                    return loaded != null ? loaded : kept(key, load(tenant, agent));
                });
    }

    private @Nullable AgentGrants inMemory(Key key, long current) {
        AgentGrants cached = agents.get(key);
        return cached != null && cached.version() >= current ? cached : null;
    }

    private AgentGrants kept(Key key, AgentGrants loaded) {
        if (agents.size() >= MAX_AGENTS) {
            agents.clear(); // rare; grants are loaded again on demand
        }
        agents.put(key, loaded);
        return loaded;
    }

    private AgentGrants load(TenantId tenant, AgentId agent) {
        long askedAt = System.nanoTime();
        try (Connection connection = ShortTimeoutConnection.from(pool);
                PreparedStatement query = connection.prepareStatement(GrantRows.LOAD)) {
            query.setString(1, tenant.value());
            query.setString(2, agent.value());
            try (ResultSet found = query.executeQuery()) {
                AgentGrants loaded = rows.read(found);
                versions.observe(tenant, loaded.version(), askedAt);
                return loaded;
            }
        } catch (SQLException unanswered) {
            throw new StaleGrants(
                    "The permissions of agent '" + agent + "' cannot be read now; try again shortly.", unanswered);
        }
    }

    /** Stops listening, so that changes are found only by version checks; for tests. */
    void stopWatching() {
        versions.stopWatching();
    }

    @Override
    public void close() {
        versions.close();
    }

    private record Key(TenantId tenant, AgentId agent) {}
}
