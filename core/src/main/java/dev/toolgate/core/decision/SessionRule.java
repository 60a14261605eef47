package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Restricts a call in a session to the capabilities of its policy bundle. */
public final class SessionRule implements Rule {
    private final PathResolver pathResolver;

    /** For a gate without file tools: where a session limits paths, every path is refused. */
    public SessionRule() {
        this(PathResolver.NONE);
    }

    /**
     * @param pathResolver resolves the paths that callers write
     */
    public SessionRule(PathResolver pathResolver) {
        this.pathResolver = pathResolver;
    }

    @Override
    public String name() {
        return "session";
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
        if (!session.namesServerOf(tool)) {
            return denied("Tool '" + tool.name() + "' is of an MCP server that the session does not name; it would need"
                    + " the server in mcpServers, or the tool in allowedTools of capability '" + tool.capability()
                    + "'");
        }
        WorkspaceKey workspace = WorkspaceKey.of(call.caller());
        Optional<String> objection = new CapabilityScope(capability, path -> pathResolver.resolve(workspace, path))
                .objection(tool, tool.complete(call.toolName(), call.arguments()));
        if (objection.isPresent()) {
            return denied(objection.get());
        }
        return capability.requiresApproval()
                ? new Decision.NeedsApproval(
                        "Capability '" + tool.capability() + "' requires approval"
                                + inWords(session, capability.approvalRuleId()),
                        capability.approvalRuleId())
                : Decision.allow();
    }

    @Override
    public Prospect prospect(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        if (session == null) {
            return Prospect.ALLOWED;
        }
        return session.capability(tool.capability())
                .filter(_ -> session.namesServerOf(tool))
                .map(capability -> capability.requiresApproval() ? Prospect.MAYBE_HELD : Prospect.ALLOWED)
                .orElse(Prospect.DENIED);
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
