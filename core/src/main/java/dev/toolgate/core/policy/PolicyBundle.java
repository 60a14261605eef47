package dev.toolgate.core.policy;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The capabilities, limits and approval rules of a session, until it expires. */
public record PolicyBundle(
        String policyBundleVersion,
        String schemaVersion,
        TenantId tenantId,
        String userId,
        SessionId sessionId,
        Instant expiresAt,
        List<CapabilityGrant> capabilities,
        LlmPolicy llmPolicy,
        List<ApprovalRule> approvalRules,
        List<McpServer> mcpServers) {

    /** The only supported schema version. */
    public static final String SCHEMA_VERSION = "1.0";

    public PolicyBundle {
        capabilities = List.copyOf(capabilities);
        approvalRules = List.copyOf(approvalRules);
        mcpServers = List.copyOf(mcpServers);
    }

    /** A bundle with capabilities only. */
    public static PolicyBundle of(
            String policyBundleVersion,
            String schemaVersion,
            TenantId tenantId,
            String userId,
            SessionId sessionId,
            Instant expiresAt,
            List<CapabilityGrant> capabilities) {
        return new PolicyBundle(
                policyBundleVersion,
                schemaVersion,
                tenantId,
                userId,
                sessionId,
                expiresAt,
                capabilities,
                LlmPolicy.NONE,
                List.of(),
                List.of());
    }

    /** Why it is not valid for this tenant now; empty if it is. */
    public Optional<Failure> refusal(TenantId tenant, Instant now) {
        if (!schemaVersion.equals(SCHEMA_VERSION)) {
            return refuse(
                    ErrorCode.POLICY_BUNDLE_INVALID, "has an unknown schema version; supported is " + SCHEMA_VERSION);
        }
        if (!tenantId.equals(tenant)) {
            return refuse(ErrorCode.POLICY_BUNDLE_INVALID, "belongs to another tenant");
        }
        return now.isBefore(expiresAt) ? Optional.empty() : refuse(ErrorCode.POLICY_EXPIRED, "expired at " + expiresAt);
    }

    private Optional<Failure> refuse(ErrorCode code, String why) {
        return Optional.of(Failure.of(code, "The policy bundle of session '" + sessionId + "' " + why));
    }

    /** Whether the session covers a tool at all; arguments are checked per call. */
    public boolean covers(ToolSpec<?> tool) {
        return namesServerOf(tool)
                && capability(tool.capability())
                        .filter(granted -> granted.covers(tool.names()))
                        .isPresent();
    }

    /**
     * Whether the session names the MCP server of a tool {@code server/tool}, or the tool itself in its capability; true
     * for every other tool. The server is the one that is registered under this name: the bundle's address and
     * credentials are for hosts that connect by themselves.
     */
    public boolean namesServerOf(ToolSpec<?> tool) {
        int slash = tool.name().indexOf('/');
        if (tool.category() != Category.MCP || slash < 0) {
            return true;
        }
        String server = tool.name().substring(0, slash);
        String own = tool.name().substring(slash + 1);
        return mcpServers.stream()
                        .filter(named -> named.name().equals(server))
                        .anyMatch(named -> named.allowedTools() == null
                                || named.allowedTools().contains(own))
                || capability(tool.capability())
                        .map(CapabilityGrant::allowedTools)
                        .filter(named -> named.contains(tool.name()))
                        .isPresent();
    }

    /** The capability with this name, if the session has it. */
    public Optional<CapabilityGrant> capability(String name) {
        return capabilities.stream()
                .filter(capability -> capability.name().equals(name))
                .findFirst();
    }
}
