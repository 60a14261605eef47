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
 * What an agent, or an orchestrator for it, asks to be done.
 *
 * @param timestamp when the caller says it asked; the record has it beside the gate's own time
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
    private static final int LONGEST_WORD = 100;

    ExecuteRequest {
        TextFields.check("tool_name", toolName, ToolNameFields.LONGEST);
        TextFields.check("operation", operation, LONGEST_WORD);
        TextFields.checkNullable("project_id", projectId, LONGEST_WORD);
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
