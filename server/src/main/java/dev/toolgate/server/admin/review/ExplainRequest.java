package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.server.gate.CallRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The call to explain.
 *
 * @param parameters left out to see what is decided before the arguments are known
 * @param trustLevel as in a conversation; left out for a call without one
 */
record ExplainRequest(
        AgentId agentId,
        String toolName,
        @Nullable ObjectNode parameters,
        @Nullable String operation,
        @Nullable String projectId,
        @Nullable SessionId sessionId,
        @Nullable String trustLevel) {
    private static final int MAX_TEXT = 100;

    ExplainRequest {
        TextFields.check("tool_name", toolName, ToolNameFields.MAX_LENGTH);
        TextFields.checkNullable("operation", operation, MAX_TEXT);
        TextFields.checkNullable("project_id", projectId, MAX_TEXT);
        if (trustLevel != null && TrustLevel.of(trustLevel).isEmpty()) {
            throw new IllegalArgumentException(
                    "Field 'trust_level' must be supervised, guided or autonomous; correct it or leave it out.");
        }
    }

    CallRequest call() {
        return CallRequest.of(toolName, parameters == null ? Json.MAPPER.createObjectNode() : parameters)
                .as(agentId, CallRequest.Acting.CALLING)
                .in(sessionId, null)
                .purpose(operation == null ? Call.EXECUTE : operation, projectId)
                .trusting(trustLevel == null ? null : TrustLevel.of(trustLevel).orElseThrow());
    }
}
