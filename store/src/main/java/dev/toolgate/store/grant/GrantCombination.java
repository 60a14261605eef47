package dev.toolgate.store.grant;

import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Combines the permissions of an agent itself and of its groups: every grant counts, and a refusal overrides all grants
 * of its tool.
 */
final class GrantCombination {
    private static final List<Grant> PLAIN_ONLY = List.of(Grant.PLAIN);

    private final Map<String, List<Grant>> granted = new HashMap<>();
    private final Map<String, Refusal> refused = new HashMap<>();

    // Tool names and the plain grant occur a million times, so their instances are shared.
    void grant(String tool, Grant grant) {
        granted.merge(tool.intern(), only(grant), GrantCombination::joined);
    }

    /**
     * Adds a refusal; if there are several, the agent's own is reported.
     *
     * @param group {@code null} if it is the agent's own
     */
    void refuse(String tool, @Nullable String group) {
        refused.merge(tool.intern(), new Refusal(group), (one, other) -> one.group() == null ? one : other);
    }

    AgentGrants at(long version) {
        granted.keySet().removeAll(refused.keySet());
        return new AgentGrants(version, Map.copyOf(granted), Map.copyOf(refused));
    }

    private static List<Grant> only(Grant grant) {
        return grant.equals(Grant.PLAIN) ? PLAIN_ONLY : List.of(grant);
    }

    private static List<Grant> joined(List<Grant> some, List<Grant> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
