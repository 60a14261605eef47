package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** Decides whether a call is allowed, held or denied. A rule that throws counts as Deny. */
@FunctionalInterface
public interface Rule {

    /**
     * Decides about a call.
     *
     * @param session the policy bundle of the caller's session; {@code null} if it has no session
     */
    Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session);

    /** The name of the rule in explanations. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Decides about an unknown tool name. A caller without a grant for it must not learn that it does not exist. */
    default Decision decideUnknown(Call call) {
        return Decision.allow();
    }

    /**
     * What the rule may decide about calls of a tool, whatever their arguments. It is {@link Prospect#DENIED} only
     * where {@link #decide} denies every call, and {@link Prospect#ALLOWED} only where it holds none.
     *
     * @param call identifies the caller; its tool and arguments are ignored
     */
    default Prospect prospect(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        return Prospect.MAYBE_HELD;
    }
}
