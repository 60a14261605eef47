package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.store.connection.ConnectionPermits;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.PromptConnection;
import dev.toolgate.store.version.VersionTable;
import dev.toolgate.store.version.Versions;
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
 * Grants in PostgreSQL, answered from memory. What is in memory counts only while the version of the
 * tenant's permissions is known to be the same; that knowledge is at most half a second old, and
 * when it cannot be had the answer is an error, which means no. Only uses are always counted in the
 * database.
 */
public final class PostgresGrants implements Grants, AutoCloseable {
    private static final int MOST_AGENTS = 200_000;
    private static final int LOADED_AT_ONCE = 6;

    private final Map<Key, AgentGrants> agents = new ConcurrentHashMap<>();
    private final ConnectionPermits loading = new ConnectionPermits(LOADED_AT_ONCE, "permissions");
    private final DataSource pool;
    private final GrantRows rows;
    private final GrantUses uses;
    private final Versions versions;
    private final Clock clock;

    /**
     * @param connections one is kept for listening
     */
    public PostgresGrants(Connections connections, Conditions conditions, Clock clock) {
        this.pool = connections.pool();
        this.rows = new GrantRows(new CompiledConditions(conditions));
        this.uses = new GrantUses(pool);
        this.versions = new Versions(VersionTable.PERMISSIONS, connections);
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

    /** Without those that have expired or are used up; what has a condition is among them. */
    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        AgentGrants held = grantsOf(tenant, agent);
        return held.usable(clock.instant(), uses.unspent(tenant, held.uses()));
    }

    @Override
    public int usesLeft(TenantId tenant, Uses limited) {
        return uses.left(tenant, limited);
    }

    @Override
    public boolean use(TenantId tenant, Uses limited) {
        return uses.take(tenant, limited);
    }

    /** Makes the next question about this tenant look at the database first. */
    public void changed(TenantId tenant) {
        versions.changed(tenant);
    }

    private AgentGrants grantsOf(TenantId tenant, AgentId agent) {
        long current = versions.current(tenant);
        Key key = new Key(tenant, agent);
        AgentGrants held = inMemory(key, current);
        return held != null
                ? held
                : loading.take(() -> {
                    AgentGrants meanwhile = inMemory(key, versions.current(tenant)); // the turn may have come late
                    return meanwhile != null ? meanwhile : kept(key, load(tenant, agent));
                });
    }

    private @Nullable AgentGrants inMemory(Key key, long current) {
        AgentGrants held = agents.get(key);
        return held != null && held.version() >= current ? held : null;
    }

    private AgentGrants kept(Key key, AgentGrants loaded) {
        if (agents.size() >= MOST_AGENTS) {
            agents.clear(); // rare, and everything can be read again
        }
        agents.put(key, loaded);
        return loaded;
    }

    private AgentGrants load(TenantId tenant, AgentId agent) {
        long askedAt = System.nanoTime();
        try (Connection connection = PromptConnection.from(pool);
                PreparedStatement query = connection.prepareStatement(GrantRows.LOAD)) {
            query.setString(1, tenant.value());
            query.setString(2, agent.value());
            try (ResultSet found = query.executeQuery()) {
                AgentGrants loaded = rows.read(found);
                versions.saw(tenant, loaded.version(), askedAt);
                return loaded;
            }
        } catch (SQLException unanswered) {
            throw new StaleGrants("The database cannot say what agent '" + agent + "' may use.", unanswered);
        }
    }

    /** From now on every change is found by asking, as if no notification ever arrived. */
    void stopWatching() {
        versions.stopWatching();
    }

    @Override
    public void close() {
        versions.close();
    }

    private record Key(TenantId tenant, AgentId agent) {}
}
