package dev.toolgate.core.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.json.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes policy bundles as JSON, in the shape that clients send. Unknown fields are refused. */
public final class PolicyBundleJson {
    private static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private PolicyBundleJson() {}

    /** The bundle as JSON. */
    public static String write(PolicyBundle bundle) {
        return MAPPER.writeValueAsString(new Wire(
                bundle.policyBundleVersion(),
                bundle.schemaVersion(),
                bundle.tenantId().value(),
                bundle.userId(),
                bundle.sessionId().value(),
                bundle.expiresAt().toString(),
                bundle.capabilities(),
                bundle.llmPolicy(),
                bundle.approvalRules(),
                bundle.mcpServers()));
    }

    /**
     * Reads a bundle.
     *
     * @throws IllegalArgumentException with one sentence that says what is wrong with it
     */
    public static PolicyBundle read(String json) {
        try {
            return bundle(require(MAPPER.readValue(json, Wire.class), "policyBundleVersion"));
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "The policy bundle is malformed: " + malformed.getOriginalMessage(), malformed);
        }
    }

    private static PolicyBundle bundle(Wire wire) {
        return new PolicyBundle(
                require(wire.policyBundleVersion, "policyBundleVersion"),
                require(wire.schemaVersion, "schemaVersion"),
                new TenantId(require(wire.tenantId, "tenantId")),
                require(wire.userId, "userId"),
                new SessionId(require(wire.sessionId, "sessionId")),
                Times.read(require(wire.expiresAt, "expiresAt"))
                        .orElseThrow(
                                () -> new IllegalArgumentException("The policy bundle's expiresAt is not a time.")),
                limited(each(require(wire.capabilities, "capabilities"), "capabilities", CapabilityGrant::name)),
                limited(wire.llmPolicy == null ? LlmPolicy.NONE : wire.llmPolicy),
                each(wire.approvalRules, "approvalRules", ApprovalRule::approvalRuleId, ApprovalRule::title),
                each(wire.mcpServers, "mcpServers", McpServer::name, McpServer::url));
    }

    // Jackson leaves absent values null, even where the record type is not nullable.
    @SafeVarargs
    private static <T> List<T> each(@Nullable List<T> values, String field, Function<T, @Nullable String>... required) {
        List<T> checked = new ArrayList<>();
        for (T value : values == null ? List.<T>of() : values) {
            T present = require(value, field);
            for (Function<T, @Nullable String> part : required) {
                require(part.apply(present), field + " (name, id or title)");
            }
            checked.add(present);
        }
        return checked;
    }

    private static List<CapabilityGrant> limited(List<CapabilityGrant> capabilities) {
        capabilities.forEach(capability -> {
            notNegative(capability.maxFileSizeBytes(), "maxFileSizeBytes");
            notNegative(capability.maxOutputBytes(), "maxOutputBytes");
        });
        return capabilities;
    }

    private static LlmPolicy limited(LlmPolicy policy) {
        notNegative(policy.maxInputTokens(), "maxInputTokens");
        notNegative(policy.maxOutputTokens(), "maxOutputTokens");
        notNegative(policy.maxSessionTokens(), "maxSessionTokens");
        return policy;
    }

    private static void notNegative(@Nullable Number limit, String field) {
        if (limit != null && limit.longValue() < 0) {
            throw new IllegalArgumentException("The policy bundle's " + field + " must not be negative.");
        }
    }

    private static <T> T require(@Nullable T value, String field) {
        if (value == null) {
            throw new IllegalArgumentException("The policy bundle lacks the field " + field + ".");
        }
        return value;
    }

    private record Wire(
            @Nullable String policyBundleVersion,
            @Nullable String schemaVersion,
            @Nullable String tenantId,
            @Nullable String userId,
            @Nullable String sessionId,
            @Nullable String expiresAt,
            @Nullable List<CapabilityGrant> capabilities,
            @Nullable LlmPolicy llmPolicy,
            @Nullable List<ApprovalRule> approvalRules,
            @Nullable List<McpServer> mcpServers) {}
}
