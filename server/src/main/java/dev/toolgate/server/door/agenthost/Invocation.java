package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of an invocation by an agent host.
 *
 * @param workspaceId where artifacts are stored; {@code null} for the session's workspace
 * @param requestId lets the caller repeat the same invocation and get the first result; {@code null} to generate one
 */
record Invocation(
        SessionId sessionId,
        String taskId,
        String stepId,
        @Nullable WorkspaceId workspaceId,
        String toolName,
        ObjectNode arguments,
        @Nullable RequestId requestId) {

    Invocation {
        var _ = new InvokedStep(toolName, sessionId, taskId, stepId); // validates the fields
    }

    InvokedStep step() {
        return new InvokedStep(toolName, sessionId, taskId, stepId);
    }
}
