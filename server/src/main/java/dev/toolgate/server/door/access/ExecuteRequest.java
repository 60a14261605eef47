package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
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

    Call call(Caller caller) {
        return attempt(caller).as(requestId);
    }

    /** The call of somebody who may not make it: under an id of its own, so that it cannot use up that of another. */
    Call attempt(Caller caller) {
        return Call.of(caller, toolName, parameters)
                .purpose(operation, projectId)
                .from(CallContext.NONE.sentAt(timestamp));
    }
}
