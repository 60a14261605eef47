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

/** An agent may use a tool it has been granted, on the terms of the grant, and no other. */
public final class GrantRule implements Rule {
    private final Grants grants;
    private final Clock clock;

    public GrantRule(Grants grants, Clock clock) {
        this.grants = grants;
        this.clock = clock;
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
        // Whoever asks for an approval is heard, even if another grant does not ask.
        return holding.stream().anyMatch(grant -> grant.approval() == Approval.REQUIRED)
                ? new Decision.NeedsApproval(
                        "The grant of tool '" + tool.name() + "' asks for an approval of every call", null)
                : Decision.allow();
    }

    /** Whether the agent has been granted a tool of this name, though there is none. */
    @Override
    public Decision decideUnknown(Call call) {
        return find(call, call.toolName()).isEmpty() ? notPermitted(call, call.toolName()) : Decision.allow();
    }

    /**
     * Rests the call, just before it runs, on a grant that still holds, and takes one use of it if its
     * uses are numbered; false if there is none any more. A call may have waited long for an approval.
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
     * Whether the agent of a call that was made before has a grant of its tool now, whatever that asks of new calls:
     * the outcome of a call is read by those only who may use its tool.
     */
    public boolean stillGrants(Call call, String tool) {
        Instant now = clock.instant();
        return find(call, tool).stream()
                .anyMatch(grant -> grant.expiresAt() == null || now.isBefore(grant.expiresAt()));
    }

    private boolean use(Call call, Grants.@Nullable Uses uses) {
        return uses != null && grants.use(call.caller().tenant(), uses);
    }

    private List<Grant> find(Call call, String tool) {
        return grants.find(call.caller().tenant(), call.caller().agent(), tool);
    }

    private Optional<String> complaint(Grant grant, Call call, ToolSpec<?> tool, Instant now) {
        if (grant.expiresAt() != null && !now.isBefore(grant.expiresAt())) {
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
                ? Optional.of("is used up after " + grant.uses().most() + " uses")
                : Optional.empty();
    }

    private static Decision notPermitted(Call call, String tool) {
        return deny("Agent '" + call.caller().agent() + "' not permitted to use tool '" + tool + "'");
    }

    private static Decision deny(String reason) {
        return new Decision.Deny(ErrorCode.PERMISSION_DENIED, reason);
    }
}
