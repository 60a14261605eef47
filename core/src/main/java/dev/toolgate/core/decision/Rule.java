package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** One reason to allow, hold or refuse a call. A rule that throws counts as Deny. */
@FunctionalInterface
public interface Rule {

    /**
     * Decides.
     *
     * @param session the policy bundle of the caller's session; {@code null} if it has no session
     */
    Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session);

    /** Decides about a name that no tool has; whoever may not use it is not told that it is not there. */
    default Decision decideUnknown(Call call) {
        return Decision.allow();
    }
}
