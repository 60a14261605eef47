package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent host asks to be done.
 *
 * @param workspaceId where artifacts go; {@code null} for that of the session
 * @param requestId under which the caller may send the very same invocation again to get the first result; {@code null}
 *     for one that is made up
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
        var _ = new InvokedStep(toolName, sessionId, taskId, stepId); // which looks at them
    }

    InvokedStep step() {
        return new InvokedStep(toolName, sessionId, taskId, stepId);
    }
}
