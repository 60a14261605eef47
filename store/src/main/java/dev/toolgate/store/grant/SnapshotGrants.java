package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.Grants;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The grants of a snapshot, for evaluating calls that are not executed: uses are counted in memory only. For one
 * tenant. Not thread-safe.
 */
public final class SnapshotGrants implements Grants {
    private final Map<String, AgentGrants> agents = new HashMap<>();
    private final Map<Uses, Integer> used = new HashMap<>();
    private final PermissionSnapshot snapshot;
    private final Instant now;
    private final UnaryOperator<Condition> conditions;

    /**
     * @param now grants that have expired by then are ignored, regardless of the time of a call
     * @param conditions wraps every condition
     */
    public SnapshotGrants(PermissionSnapshot snapshot, Instant now, UnaryOperator<Condition> conditions) {
        this.snapshot = snapshot;
        this.now = now;
        this.conditions = conditions;
    }

    @Override
    public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
        return agents.computeIfAbsent(agent.value(), this::load).find(tool);
    }

    @Override
    public Optional<Refusal> refusal(TenantId tenant, AgentId agent, String tool) {
        return Optional.ofNullable(
                agents.computeIfAbsent(agent.value(), this::load).refused().get(tool));
    }

    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        AgentGrants grants = agents.computeIfAbsent(agent.value(), this::load);
        return grants.tools().keySet().stream()
                .filter(tool -> grants.find(tool).stream().anyMatch(grant -> hasUsesLeft(tenant, grant)))
                .sorted()
                .toList();
    }

    private boolean hasUsesLeft(TenantId tenant, Grant grant) {
        return grant.uses() == null || usesLeft(tenant, grant.uses()) > 0;
    }

    @Override
    public int usesLeft(TenantId tenant, Uses uses) {
        return Math.max(0, snapshot.usesLeft(uses) - used.getOrDefault(uses, 0));
    }

    @Override
    public boolean use(TenantId tenant, Uses uses) {
        if (usesLeft(tenant, uses) < 1) {
            return false;
        }
        used.merge(uses, 1, Integer::sum);
        return true;
    }

    private AgentGrants load(String agent) {
        AgentGrants stored = snapshot.grantsOf(agent);
        Map<String, List<Grant>> wrapped = new HashMap<>();
        stored.tools()
                .forEach((tool, grants) -> wrapped.put(
                        tool,
                        grants.stream()
                                .filter(grant -> !grant.hasExpired(now))
                                .map(this::wrapped)
                                .toList()));
        return new AgentGrants(stored.version(), wrapped, stored.refused());
    }

    private Grant wrapped(Grant grant) {
        return grant.condition() == null
                ? grant
                : new Grant(grant.approval(), grant.expiresAt(), conditions.apply(grant.condition()), grant.uses());
    }
}
