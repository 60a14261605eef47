package dev.toolgate.server.door.frontend;

import dev.toolgate.server.door.TextFields;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a tool call by a web front end.
 *
 * @param correlationId for logs; not the call's id, so it may be reused
 */
record ExecuteToolRequest(
        String tool, ObjectNode args, @Nullable String correlationId) {
    private static final int MAX_TOOL_NAME = 200;

    ExecuteToolRequest {
        TextFields.check("tool", tool, MAX_TOOL_NAME);
    }
}
