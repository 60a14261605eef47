package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.server.operate.CallRequest;
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
        Texts.check("tool_name", toolName, ToolNames.LONGEST);
        Texts.check("operation", operation, LONGEST_WORD);
        Texts.checkNullable("project_id", projectId, LONGEST_WORD);
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
