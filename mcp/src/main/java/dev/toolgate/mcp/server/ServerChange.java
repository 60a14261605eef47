package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.protocol.TaskState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A change that subscribed clients are notified of. */
public sealed interface ServerChange {

    /** The list of tools has changed. */
    record ToolsChanged() implements ServerChange {}

    /** The list of prompts has changed. */
    record PromptsChanged() implements ServerChange {}

    /** The list of resources has changed. */
    record ResourcesChanged() implements ServerChange {}

    /** The contents of a resource have changed. */
    record ResourceUpdated(String uri) implements ServerChange {}

    /** The state of a task has changed. */
    record TaskChanged(TaskState task) implements ServerChange {}

    /** Identifies changes of the same thing: a later one replaces an earlier one that was not sent yet. */
    default String key() {
        return switch (this) {
            case ToolsChanged _ -> "tools";
            case PromptsChanged _ -> "prompts";
            case ResourcesChanged _ -> "resources";
            case ResourceUpdated updated -> "resource " + updated.uri();
            case TaskChanged changed -> "task " + changed.task().id();
        };
    }

    /** The notification for a revision; null if the revision has none. */
    default RpcMessage.@Nullable Notification notification(Revision revision) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        return switch (this) {
            case ToolsChanged _ -> new RpcMessage.Notification(McpMethods.TOOLS_CHANGED, params);
            case PromptsChanged _ -> new RpcMessage.Notification(McpMethods.PROMPTS_CHANGED, params);
            case ResourcesChanged _ -> new RpcMessage.Notification(McpMethods.RESOURCES_CHANGED, params);
            case ResourceUpdated updated ->
                new RpcMessage.Notification(McpMethods.RESOURCE_UPDATED, params.put("uri", updated.uri()));
            case TaskChanged changed -> task(changed.task(), revision);
        };
    }

    private static RpcMessage.@Nullable Notification task(TaskState task, Revision revision) {
        if (revision.era() == Era.MODERN) {
            return new RpcMessage.Notification(McpMethods.TASK_CHANGED, task.details());
        }
        return revision.isAtLeast(Revision.R2025_11_25)
                ? new RpcMessage.Notification(McpMethods.LEGACY_TASK_CHANGED, task.legacySummary())
                : null;
    }
}
