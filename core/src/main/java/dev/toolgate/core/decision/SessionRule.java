package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** A call that names a session is bound by the capabilities of its policy bundle. */
public final class SessionRule implements Rule {
    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        if (session == null) {
            return Decision.allow();
        }
        CapabilityGrant capability = session.capability(tool.capability()).orElse(null);
        if (capability == null) {
            return new Decision.Deny(
                    ErrorCode.CAPABILITY_DENIED,
                    "Tool '" + tool.name() + "' needs capability '" + tool.capability()
                            + "', which the session does not have");
        }
        if (capability.allowedTools() != null && tool.names().noneMatch(capability.allowedTools()::contains)) {
            return new Decision.Deny(
                    ErrorCode.CAPABILITY_DENIED,
                    "Tool '" + tool.name() + "' is not among the tools that capability '" + tool.capability()
                            + "' allows in this session");
        }
        if (capability.allowedCommands() != null
                || (capability.blockedCommands() != null
                        && !capability.blockedCommands().isEmpty())) {
            // A shell runs whatever a command line hides, so such a limit could not be kept.
            return new Decision.Deny(
                    ErrorCode.CAPABILITY_DENIED,
                    "Capability '" + tool.capability() + "' is limited to single commands in this session, which"
                            + " cannot be enforced, so tool '" + tool.name() + "' is refused");
        }
        return capability.requiresApproval()
                ? new Decision.NeedsApproval(
                        "Capability '" + tool.capability() + "' asks for an approval"
                                + inWords(session, capability.approvalRuleId()),
                        capability.approvalRuleId())
                : Decision.allow();
    }

    private static String inWords(PolicyBundle session, @Nullable String approvalRuleId) {
        return session.approvalRules().stream()
                .filter(rule -> rule.approvalRuleId().equals(approvalRuleId))
                .findFirst()
                .map(rule -> ": " + rule.title() + (rule.description() == null ? "" : " (" + rule.description() + ")"))
                .orElse("");
    }
}
