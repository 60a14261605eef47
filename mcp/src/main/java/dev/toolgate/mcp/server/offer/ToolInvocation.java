package dev.toolgate.mcp.server.offer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool call as the client sent it.
 *
 * @param arguments an empty object if none were sent
 * @param answers the client's answers, if this call is a retry
 * @param taskTtl how long the client wants a task to be kept; null if not given
 */
public record ToolInvocation(
        String name,
        ObjectNode arguments,
        InputAnswers answers,
        @Nullable Duration taskTtl) {}
