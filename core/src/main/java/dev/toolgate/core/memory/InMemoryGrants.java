package dev.toolgate.core.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Grants in memory; empty at first, so everything is refused until somebody grants it. */
public final class InMemoryGrants implements Grants {
    private final Map<Key, Grant> grants = new ConcurrentHashMap<>();
    private final Map<String, Integer> used = new ConcurrentHashMap<>();

    /** Grants a tool without conditions. */
    public InMemoryGrants grant(TenantId tenant, AgentId agent, String tool) {
        return grant(tenant, agent, tool, Grant.PLAIN);
    }

    /** Grants a tool. */
    public InMemoryGrants grant(TenantId tenant, AgentId agent, String tool, Grant grant) {
        grants.put(new Key(tenant, agent, tool), grant);
        return this;
    }

    /** Takes a grant back; effective for the next call. */
    public void revoke(TenantId tenant, AgentId agent, String tool) {
        grants.remove(new Key(tenant, agent, tool));
    }

    @Override
    public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
        Grant grant = grants.get(new Key(tenant, agent, tool));
        return grant == null ? List.of() : List.of(grant);
    }

    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        return grants.keySet().stream()
                .filter(key -> key.tenant().equals(tenant) && key.agent().equals(agent))
                .map(Key::tool)
                .sorted()
                .toList();
    }

    @Override
    public int usesLeft(TenantId tenant, Uses uses) {
        return uses.most() - used.getOrDefault(uses.grant(), 0);
    }

    @Override
    public boolean use(TenantId tenant, Uses uses) {
        return used.merge(uses.grant(), 1, Integer::sum) <= uses.most();
    }

    private record Key(TenantId tenant, AgentId agent, String tool) {}
}
