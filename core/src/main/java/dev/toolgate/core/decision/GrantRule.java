package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** An agent may use a tool it has been granted, and no other. */
public final class GrantRule implements Rule {
    private final Grants grants;
    private final Clock clock;

    public GrantRule(Grants grants, Clock clock) {
        this.grants = grants;
        this.clock = clock;
    }

    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        Grants.Grant grant = grants.find(call.caller().tenant(), call.caller().agent(), tool.name())
                .orElse(null);
        if (grant == null) {
            return deny("Agent '" + call.caller().agent() + "' not permitted to use tool '" + tool.name() + "'");
        }
        if (grant.expiresAt() != null && !clock.instant().isBefore(grant.expiresAt())) {
            return deny("The grant of tool '" + tool.name() + "' to agent '"
                    + call.caller().agent() + "' has expired");
        }
        return switch (grant.approval()) {
            case NOT_NEEDED -> Decision.allow();
            case REQUIRED ->
                new Decision.NeedsApproval(
                        "The grant of tool '" + tool.name() + "' asks for an approval of every call", null);
        };
    }

    private static Decision deny(String reason) {
        return new Decision.Deny(ErrorCode.PERMISSION_DENIED, reason);
    }
}
