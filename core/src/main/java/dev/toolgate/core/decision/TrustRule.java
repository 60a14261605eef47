package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** Requires approval according to the agent's trust level. */
public final class TrustRule implements Rule {
    @Override
    public String name() {
        return "trust";
    }

    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        TrustLevel trust = call.trust();
        if (trust == null) {
            return Decision.allow();
        }
        return switch (trust) {
            case SUPERVISED ->
                asking("Agent '" + call.caller().agent() + "' is supervised, so every tool requires approval");
            case GUIDED ->
                tool.danger() == Danger.DANGEROUS
                        ? asking("Tool '" + tool.name() + "' is dangerous and agent '"
                                + call.caller().agent() + "' is guided")
                        : Decision.allow();
            case AUTONOMOUS -> Decision.allow();
        };
    }

    @Override
    public Prospect prospect(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        return decide(call, tool, session) instanceof Decision.NeedsApproval ? Prospect.MAYBE_HELD : Prospect.ALLOWED;
    }

    private static Decision asking(String reason) {
        return new Decision.NeedsApproval(reason, null);
    }
}
