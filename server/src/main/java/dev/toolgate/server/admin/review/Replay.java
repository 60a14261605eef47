package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.store.grant.PermissionSnapshot;
import dev.toolgate.store.grant.SnapshotGrants;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides about recorded calls, in their order, by the gate's own rules under the permissions of a snapshot. Uses of
 * counted grants are spent within the replay only.
 */
final class Replay {
    private final ReplayedCall current = new ReplayedCall();
    /** Tools with a call of unknown decision, which may have spent a use. */
    private final Set<String> uncertainUses = new HashSet<>();

    private final SnapshotGrants held;
    private final GrantRule grants;
    private final Decide decide;

    /**
     * @param now grants that have expired by then do not count
     * @param rules the gate's rules, with other grants
     */
    Replay(PermissionSnapshot permissions, Instant now, Function<GrantRule, List<Rule>> rules) {
        this.held = new SnapshotGrants(permissions, now, condition -> new ReplayedCondition(condition, current));
        this.grants = new GrantRule(held, current);
        this.decide = new Decide(rules.apply(grants));
    }

    /** Whether a person approved the call when it was made. */
    enum Approved {
        YES,
        NO
    }

    /**
     * The decision about the next call.
     *
     * @param approved an approval that was given then is taken to be given again
     * @return empty if it depends on something that was not recorded
     */
    Optional<Decision> next(
            Call call,
            MaskedArguments arguments,
            Instant madeAt,
            Approved approved,
            ToolSpec<?> tool,
            @Nullable PolicyBundle session) {
        boolean counted = held.find(call.caller().tenant(), call.caller().agent(), tool.name()).stream()
                .anyMatch(grant -> grant.uses() != null);
        if (counted && uncertainUses.contains(tool.name())) {
            return Optional.empty();
        }
        current.is(arguments, madeAt);
        current.assume(ReplayedCall.Assumption.HOLDS);
        Decision decision = decide.decide(call, tool, session);
        if (current.hasAssumed()) {
            current.assume(ReplayedCall.Assumption.FAILS);
            Decision otherwise = decide.decide(call, tool, session);
            if (otherwise.getClass() != decision.getClass()) {
                if (counted) {
                    uncertainUses.add(tool.name());
                }
                return Optional.empty();
            }
        }
        boolean runs =
                switch (decision) {
                    case Decision.Allow allow -> true;
                    case Decision.NeedsApproval needed -> approved == Approved.YES;
                    case Decision.Deny deny -> false;
                };
        if (runs) {
            boolean _ = grants.spend(call, tool);
        }
        return Optional.of(decision);
    }
}
