package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** An agent that is not trusted with a tool needs a person's yes for it. */
public final class TrustRule implements Rule {
    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        TrustLevel trust = call.trust();
        if (trust == null) {
            return Decision.allow();
        }
        return switch (trust) {
            case SUPERVISED ->
                asking("Agent '" + call.caller().agent() + "' is supervised, so every tool asks for an approval");
            case GUIDED ->
                tool.danger() == Danger.DANGEROUS
                        ? asking("Tool '" + tool.name() + "' is dangerous and agent '"
                                + call.caller().agent() + "' is guided")
                        : Decision.allow();
            case AUTONOMOUS -> Decision.allow();
        };
    }

    private static Decision asking(String reason) {
        return new Decision.NeedsApproval(reason, null);
    }
}
