package dev.toolgate.core.policy;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    /** The only version of the shape that is understood. */
    public static final String SCHEMA_VERSION = "1.0";

    public PolicyBundle {
        capabilities = List.copyOf(capabilities);
        approvalRules = List.copyOf(approvalRules);
        mcpServers = List.copyOf(mcpServers);
    }

    /** A bundle of capabilities alone. */
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

    /** Why it binds nobody of this tenant now; empty if it does. */
    public Optional<Failure> refusal(TenantId tenant, Instant now) {
        if (!schemaVersion.equals(SCHEMA_VERSION)) {
            return refuse(ErrorCode.POLICY_BUNDLE_INVALID, "is of an unknown version; known is " + SCHEMA_VERSION);
        }
        if (!tenantId.equals(tenant)) {
            return refuse(ErrorCode.POLICY_BUNDLE_INVALID, "belongs to another tenant");
        }
        return now.isBefore(expiresAt) ? Optional.empty() : refuse(ErrorCode.POLICY_EXPIRED, "expired at " + expiresAt);
    }

    private Optional<Failure> refuse(ErrorCode code, String why) {
        return Optional.of(Failure.of(code, "The policy bundle of session '" + sessionId + "' " + why));
    }

    /**
     * Whether the session has a tool at all; how far its arguments may reach is decided for each call.
     *
     * @param capability what the tool needs
     * @param toolNames all names the tool goes by
     */
    public boolean covers(String capability, Stream<String> toolNames) {
        return capability(capability)
                .filter(granted -> granted.covers(toolNames))
                .isPresent();
    }

    /** The capability with this name, if the session has it. */
    public Optional<CapabilityGrant> capability(String name) {
        return capabilities.stream()
                .filter(capability -> capability.name().equals(name))
                .findFirst();
    }
}
