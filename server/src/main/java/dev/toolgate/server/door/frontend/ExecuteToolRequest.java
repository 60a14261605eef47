package dev.toolgate.server.door.frontend;

import dev.toolgate.server.door.TextFields;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a front end asks to be done.
 *
 * @param correlationId tells requests apart in logs; it is not the call's id, so the same one may be sent again
 */
record ExecuteToolRequest(
        String tool, ObjectNode args, @Nullable String correlationId) {
    private static final int LONGEST_TOOL = 200;

    ExecuteToolRequest {
        TextFields.check("tool", tool, LONGEST_TOOL);
    }
}
