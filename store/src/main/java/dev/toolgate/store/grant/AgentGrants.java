package dev.toolgate.store.grant;

import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Refusal;
import dev.toolgate.core.decision.Grants.Uses;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one agent has been granted, by itself or through its groups, at one version of its tenant's
 * permissions. Tools with an explicit no are not among the granted ones.
 */
record AgentGrants(long version, Map<String, List<Grant>> tools, Map<String, Refusal> refused) {
    /** The grants of a tool. */
    List<Grant> find(String tool) {
        return tools.getOrDefault(tool, List.of());
    }

    /** Every limited number of uses among the grants. */
    Set<Uses> uses() {
        return tools.values().stream()
                .flatMap(List::stream)
                .map(Grant::uses)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The tools that may be used now, in order.
     *
     * @param unspent the limited uses of which something is left
     */
    List<String> usable(Instant now, Set<Uses> unspent) {
        return tools.entrySet().stream()
                .filter(tool -> tool.getValue().stream().anyMatch(grant -> isUsable(grant, now, unspent)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static boolean isUsable(Grant grant, Instant now, Set<Uses> unspent) {
        return (grant.expiresAt() == null || now.isBefore(grant.expiresAt()))
                && (grant.uses() == null || unspent.contains(grant.uses()));
    }
}
