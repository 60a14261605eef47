package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.operate.CallRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent wants to know before it tries.
 *
 * @param parameters left out if only the permission is of interest
 */
record ValidateRequest(
        @Nullable RequestId requestId,
        AgentId agentId,
        @Nullable String projectId,
        String toolName,
        @Nullable String operation,
        @Nullable ObjectNode parameters,
        @Nullable SessionId sessionId,
        @Nullable Instant timestamp) {
    private static final int LONGEST_WORD = 100;

    ValidateRequest {
        Texts.check("tool_name", toolName, ToolNames.LONGEST);
        Texts.checkNullable("operation", operation, LONGEST_WORD);
        Texts.checkNullable("project_id", projectId, LONGEST_WORD);
    }

    CallRequest call() {
        return CallRequest.of(toolName, parameters == null ? Json.MAPPER.createObjectNode() : parameters)
                .as(agentId, CallRequest.Acting.CALLING)
                .in(sessionId, null)
                .purpose(operation == null ? Call.EXECUTE : operation, projectId);
    }
}
