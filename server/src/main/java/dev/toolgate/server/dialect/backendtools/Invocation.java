package dev.toolgate.server.dialect.backendtools;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.server.dialect.access.Texts;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent host asks to be done.
 *
 * @param workspaceId where artifacts go; {@code null} for that of the session
 */
record Invocation(
        SessionId sessionId,
        String taskId,
        String stepId,
        @Nullable WorkspaceId workspaceId,
        String toolName,
        ObjectNode arguments) {
    private static final int LONGEST_ID = 100;
    private static final int LONGEST_TOOL = 200;

    Invocation {
        Texts.check("taskId", taskId, LONGEST_ID);
        Texts.check("stepId", stepId, LONGEST_ID);
        Texts.check("toolName", toolName, LONGEST_TOOL);
    }
}
