package dev.toolgate.runtime;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ToolScope;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call as an agent host makes it.
 *
 * @param arguments the arguments as plain values, lists and maps
 * @param bounds limits from the policy that allowed the call, for example the maximum file size
 * @param scope the tools the running workflow declares; {@code null} means all
 */
public record ToolRequest(
        String sessionId,
        String taskId,
        String stepId,
        String toolName,
        Map<String, ?> arguments,
        Bounds bounds,
        @Nullable ToolScope scope) {

    /** A call outside any task. */
    public static ToolRequest of(String toolName, Map<String, ?> arguments) {
        return new ToolRequest(
                "local", "local", UUID.randomUUID().toString(), toolName, arguments, Bounds.none(), null);
    }

    /** The same call within limits. */
    public ToolRequest within(Bounds newBounds) {
        return new ToolRequest(sessionId, taskId, stepId, toolName, arguments, newBounds, scope);
    }

    /** The same call from a workflow with this scope. */
    public ToolRequest scopedTo(ToolScope newScope) {
        return new ToolRequest(sessionId, taskId, stepId, toolName, arguments, bounds, newScope);
    }
}
