package dev.toolgate.store.grant;

import dev.toolgate.core.port.Grants.Approval;
import dev.toolgate.core.port.Grants.Grant;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one agent has been granted, by itself or through its groups, at one version of its tenant's
 * permissions. Tools with an explicit no are not in it.
 */
record AgentGrants(long version, Map<String, List<Grant>> tools) {
    private static final Comparator<@Nullable Instant> NEVER_IS_LAST =
            Comparator.nullsLast(Comparator.<Instant>naturalOrder());

    /** The grant of a tool; an expired one only if there is no other. */
    Optional<Grant> find(String tool, Instant now) {
        List<Grant> candidates = tools.getOrDefault(tool, List.of());
        return candidates.size() == 1
                ? Optional.of(candidates.getFirst())
                : live(candidates, now).reduce(AgentGrants::both).or(() -> longest(candidates));
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

    // Whoever asks for an approval is heard; a grant that ends does not end another.
    private static Grant both(Grant one, Grant other) {
        Approval approval = one.approval() == Approval.REQUIRED ? one.approval() : other.approval();
        return new Grant(approval, longer(one, other).expiresAt());
    }

    private static Optional<Grant> longest(List<Grant> grants) {
        return grants.stream().reduce(AgentGrants::longer);
    }

    private static Grant longer(Grant one, Grant other) {
        return NEVER_IS_LAST.compare(one.expiresAt(), other.expiresAt()) >= 0 ? one : other;
    }
}
