package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call that names a session is bound by the capabilities of its policy bundle, as far as each reaches. */
public final class SessionRule implements Rule {
    private final Places places;

    /** For a gate whose tools touch no files; where a session limits paths, every path is refused. */
    public SessionRule() {
        this(Places.NONE);
    }

    /**
     * @param places where the paths that callers write lead
     */
    public SessionRule(Places places) {
        this.places = places;
    }

    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        if (session == null) {
            return Decision.allow();
        }
        CapabilityGrant capability = session.capability(tool.capability()).orElse(null);
        if (capability == null) {
            return denied("Tool '" + tool.name() + "' needs capability '" + tool.capability()
                    + "', which the session does not have");
        }
        WorkspaceKey workspace = WorkspaceKey.of(call.caller());
        Optional<String> objection = new CapabilityScope(capability, path -> places.find(workspace, path))
                .objection(tool, tool.complete(call.toolName(), call.arguments()));
        if (objection.isPresent()) {
            return denied(objection.get());
        }
        return capability.requiresApproval()
                ? new Decision.NeedsApproval(
                        "Capability '" + tool.capability() + "' asks for an approval"
                                + inWords(session, capability.approvalRuleId()),
                        capability.approvalRuleId())
                : Decision.allow();
    }

    private static Decision denied(String reason) {
        return new Decision.Deny(ErrorCode.CAPABILITY_DENIED, reason);
    }

    private static String inWords(PolicyBundle session, @Nullable String approvalRuleId) {
        return session.approvalRules().stream()
                .filter(rule -> rule.approvalRuleId().equals(approvalRuleId))
                .findFirst()
                .map(rule -> ": " + rule.title() + (rule.description() == null ? "" : " (" + rule.description() + ")"))
                .orElse("");
    }
}
