package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.server.gate.CallRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a request to validate a call.
 *
 * @param parameters left out to check only the permission
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
    private static final int MAX_TEXT = 100;

    ValidateRequest {
        TextFields.check("tool_name", toolName, ToolNameFields.MAX_LENGTH);
        TextFields.checkNullable("operation", operation, MAX_TEXT);
        TextFields.checkNullable("project_id", projectId, MAX_TEXT);
    }

    CallRequest call() {
        return CallRequest.of(toolName, parameters == null ? Json.MAPPER.createObjectNode() : parameters)
                .as(agentId, CallRequest.Acting.CALLING)
                .in(sessionId, null)
                .purpose(operation == null ? Call.EXECUTE : operation, projectId);
    }
}
