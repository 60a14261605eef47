package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.protocol.TaskState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Something that clients which listen are told of. */
public sealed interface ServerChange {

    /** The list of tools is another. */
    record ToolsChanged() implements ServerChange {}

    /** The list of prompts is another. */
    record PromptsChanged() implements ServerChange {}

    /** The list of resources is another. */
    record ResourcesChanged() implements ServerChange {}

    /** A resource has other contents. */
    record ResourceUpdated(String uri) implements ServerChange {}

    /** A task has come further. */
    record TaskChanged(TaskState task) implements ServerChange {}

    /** What a later change of the same thing replaces, while it was not sent yet. */
    default String key() {
        return switch (this) {
            case ToolsChanged _ -> "tools";
            case PromptsChanged _ -> "prompts";
            case ResourcesChanged _ -> "resources";
            case ResourceUpdated updated -> "resource " + updated.uri();
            case TaskChanged changed -> "task " + changed.task().id();
        };
    }

    /** The notification in a revision; null if the revision has none. */
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
