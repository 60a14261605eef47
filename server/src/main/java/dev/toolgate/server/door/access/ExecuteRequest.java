package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.server.gate.CallRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a request to execute a tool.
 *
 * @param timestamp the caller's own time; recorded beside the gate's time
 */
record ExecuteRequest(
        RequestId requestId,
        AgentId agentId,
        @Nullable String projectId,
        String toolName,
        String operation,
        ObjectNode parameters,
        @Nullable SessionId sessionId,
        @Nullable Instant timestamp) {
    private static final int MAX_TEXT = 100;

    ExecuteRequest {
        TextFields.check("tool_name", toolName, ToolNameFields.MAX_LENGTH);
        TextFields.check("operation", operation, MAX_TEXT);
        TextFields.checkNullable("project_id", projectId, MAX_TEXT);
    }

    CallRequest call() {
        return CallRequest.of(toolName, parameters)
                .as(agentId, CallRequest.Acting.CALLING)
                .in(sessionId, null)
                .named(requestId)
                .purpose(operation, projectId)
                .from(CallContext.NONE.sentAt(timestamp));
    }
}
