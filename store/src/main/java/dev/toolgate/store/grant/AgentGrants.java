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
 * The grants of one agent, its own and those of its groups, at one version of its tenant's
 * permissions. Explicitly denied tools are not included in the grants.
 */
record AgentGrants(long version, Map<String, List<Grant>> tools, Map<String, Refusal> refused) {
    /** The grants of a tool. */
    List<Grant> find(String tool) {
        return tools.getOrDefault(tool, List.of());
    }

    /** The use counters of all grants that have one. */
    Set<Uses> uses() {
        return tools.values().stream()
                .flatMap(List::stream)
                .map(Grant::uses)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The tools that can be used now, sorted.
     *
     * @param unspent the use counters with uses left
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
