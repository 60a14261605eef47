package dev.toolgate.core.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Grants in memory, initially none. */
public final class InMemoryGrants implements Grants {
    private final Map<Key, Grant> grants = new ConcurrentHashMap<>();
    private final Map<Spent, Integer> used = new ConcurrentHashMap<>();

    /** Grants a tool without conditions. */
    public InMemoryGrants grant(TenantId tenant, AgentId agent, String tool) {
        return grant(tenant, agent, tool, Grant.PLAIN);
    }

    /** Grants a tool, replacing an earlier grant and resetting its use count. */
    public InMemoryGrants grant(TenantId tenant, AgentId agent, String tool, Grant grant) {
        grants.put(new Key(tenant, agent, tool), grant);
        if (grant.uses() != null) {
            used.remove(new Spent(tenant, grant.uses().grant()));
        }
        return this;
    }

    /** Revokes a grant, effective with the next call. */
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
        return grants.entrySet().stream()
                .filter(entry -> entry.getKey().tenant().equals(tenant)
                        && entry.getKey().agent().equals(agent)
                        && hasUsesLeft(tenant, entry.getValue()))
                .map(entry -> entry.getKey().tool())
                .sorted()
                .toList();
    }

    @Override
    public int usesLeft(TenantId tenant, Uses uses) {
        return Math.max(0, uses.max() - used.getOrDefault(new Spent(tenant, uses.grant()), 0));
    }

    @Override
    public boolean use(TenantId tenant, Uses uses) {
        return used.merge(new Spent(tenant, uses.grant()), 1, Integer::sum) <= uses.max();
    }

    private boolean hasUsesLeft(TenantId tenant, Grant grant) {
        return grant.uses() == null || usesLeft(tenant, grant.uses()) > 0;
    }

    private record Key(TenantId tenant, AgentId agent, String tool) {}

    private record Spent(TenantId tenant, String grant) {}
}
