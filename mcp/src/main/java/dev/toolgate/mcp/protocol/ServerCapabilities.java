package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a server declared that it offers; the tree has everything it declared. */
public record ServerCapabilities(ObjectNode json) {
    /** A server that offers nothing. */
    public static final ServerCapabilities NONE = new ServerCapabilities(JsonNodeFactory.instance.objectNode());

    /** Reads them from a message; null if they are not an object. */
    public static @Nullable ServerCapabilities read(@Nullable JsonNode json) {
        return json instanceof ObjectNode object ? new ServerCapabilities(object) : null;
    }

    public boolean hasTools() {
        return json.path("tools").isObject();
    }

    public boolean hasResources() {
        return json.path("resources").isObject();
    }

    public boolean hasPrompts() {
        return json.path("prompts").isObject();
    }

    public boolean hasCompletions() {
        return json.path("completions").isObject();
    }

    public boolean hasLogging() {
        return json.path("logging").isObject();
    }

    /** Whether it says when its list of tools has changed. */
    public boolean announcesToolChanges() {
        return json.path("tools").path("listChanged").asBoolean(false);
    }

    /** Whether it says when its list of resources has changed. */
    public boolean announcesResourceChanges() {
        return json.path("resources").path("listChanged").asBoolean(false);
    }

    /** Whether it says when a resource has changed that somebody subscribed to. */
    public boolean hasResourceSubscriptions() {
        return json.path("resources").path("subscribe").asBoolean(false);
    }

    /** Whether it says when its list of prompts has changed. */
    public boolean announcesPromptChanges() {
        return json.path("prompts").path("listChanged").asBoolean(false);
    }

    /** Whether it declared an extension. */
    public boolean hasExtension(String name) {
        return json.path("extensions").path(name).isObject();
    }

    /** Whether a tool call may become a task as 2025-11-25 has them. */
    public boolean hasLegacyTasks() {
        return json.path("tasks").path("requests").path("tools").path("call").isObject();
    }
}
