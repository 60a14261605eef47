package dev.toolgate.store.grant;

import dev.toolgate.core.port.Grants.Grant;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one agent has been granted, by itself or through its groups, at one version of its tenant's
 * permissions. Tools with an explicit no are not in it.
 */
record AgentGrants(long version, Map<String, List<Grant>> tools) {
    /** The grants of a tool. */
    List<Grant> find(String tool) {
        return tools.getOrDefault(tool, List.of());
    }

    /** The tools that may be used now, in order. */
    List<String> usable(Instant now) {
        return tools.entrySet().stream()
                .filter(tool -> live(tool.getValue(), now).findAny().isPresent())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static Stream<Grant> live(List<Grant> grants, Instant now) {
        return grants.stream().filter(grant -> grant.expiresAt() == null || now.isBefore(grant.expiresAt()));
    }
}
