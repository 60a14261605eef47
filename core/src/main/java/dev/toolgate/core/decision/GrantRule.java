package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An agent may use only tools it has been granted, on the terms of the grant. */
public final class GrantRule implements Rule {
    private final Grants grants;
    private final Clock clock;

    public GrantRule(Grants grants, Clock clock) {
        this.grants = grants;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "grants";
    }

    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        List<Grant> found = find(call, tool.name());
        if (found.isEmpty()) {
            return notPermitted(call, tool.name());
        }
        Instant now = clock.instant();
        List<Grant> holding = new ArrayList<>(found.size());
        String obstacle = "";
        for (Grant grant : found) {
            Optional<String> complaint = complaint(grant, call, tool, now);
            if (complaint.isEmpty()) {
                holding.add(grant);
            } else {
                obstacle = complaint.get();
            }
        }
        if (holding.isEmpty()) {
            return deny("The grant of tool '" + tool.name() + "' to agent '"
                    + call.caller().agent() + "' " + obstacle);
        }
        // A grant that requires approval prevails over one that does not.
        return holding.stream().anyMatch(grant -> grant.approval() == Approval.REQUIRED)
                ? new Decision.NeedsApproval(
                        "The grant of tool '" + tool.name() + "' requires approval for every call", null)
                : Decision.allow();
    }

    /** Whether the agent has a grant for this name, although no tool has it. */
    @Override
    public Decision decideUnknown(Call call) {
        return find(call, call.toolName()).isEmpty() ? notPermitted(call, call.toolName()) : Decision.allow();
    }

    @Override
    public Prospect prospect(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        GrantState state = GrantState.of(
                find(call, tool.name()),
                clock.instant(),
                uses -> grants.usesLeft(call.caller().tenant(), uses));
        return switch (state) {
            case NOT_GRANTED, EXPIRED, USED_UP -> Prospect.DENIED;
            case CONDITIONAL, ALLOWED -> Prospect.ALLOWED;
            case CONDITIONAL_WITH_APPROVAL, NEEDS_APPROVAL, APPROVAL_ON_CONDITION -> Prospect.MAYBE_HELD;
        };
    }

    /**
     * Called just before the tool runs: checks that a grant still holds, since the call may have waited long for
     * approval, and takes one use of a counted grant; false if none holds.
     */
    public boolean spend(Call call, ToolSpec<?> tool) {
        List<Grant> found = find(call, tool.name());
        if (found.contains(Grant.PLAIN)) {
            return true;
        }
        Instant now = clock.instant();
        List<Grant> holding = found.stream()
                .filter(grant -> complaint(grant, call, tool, now).isEmpty())
                .toList();
        return holding.stream().anyMatch(grant -> grant.uses() == null)
                || holding.stream().anyMatch(grant -> use(call, grant.uses()));
    }

    /**
     * Whether the agent of an earlier call still has an unexpired grant of its tool, which is needed to read the
     * outcome.
     */
    public boolean stillGrants(Call call, String tool) {
        Instant now = clock.instant();
        return find(call, tool).stream().anyMatch(grant -> !grant.hasExpired(now));
    }

    private boolean use(Call call, Grants.@Nullable Uses uses) {
        return uses != null && grants.use(call.caller().tenant(), uses);
    }

    private List<Grant> find(Call call, String tool) {
        return grants.find(call.caller().tenant(), call.caller().agent(), tool);
    }

    private Optional<String> complaint(Grant grant, Call call, ToolSpec<?> tool, Instant now) {
        if (grant.hasExpired(now)) {
            return Optional.of("has expired");
        }
        if (grant.condition() != null) {
            try {
                if (!grant.condition().holds(call, tool, now)) {
                    return Optional.of("does not cover this call: its condition is not met");
                }
            } catch (RuntimeException undecided) {
                return Optional.of("does not cover this call: its condition could not be evaluated ("
                        + undecided.getMessage() + ")");
            }
        }
        return grant.uses() != null && grants.usesLeft(call.caller().tenant(), grant.uses()) < 1
                ? Optional.of("is used up after " + grant.uses().max() + " uses")
                : Optional.empty();
    }

    private static Decision notPermitted(Call call, String tool) {
        return deny("Agent '" + call.caller().agent() + "' not permitted to use tool '" + tool + "'");
    }

    private static Decision deny(String reason) {
        return new Decision.Deny(ErrorCode.PERMISSION_DENIED, reason);
    }
}
