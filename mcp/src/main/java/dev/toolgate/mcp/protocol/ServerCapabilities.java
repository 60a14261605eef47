package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The capabilities that a server declared, including unknown ones. */
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

    /** Whether it notifies of changes of its list of tools. */
    public boolean announcesToolChanges() {
        return json.path("tools").path("listChanged").asBoolean(false);
    }

    /** Whether it notifies of changes of its list of resources. */
    public boolean announcesResourceChanges() {
        return json.path("resources").path("listChanged").asBoolean(false);
    }

    /** Whether it supports subscriptions to single resources. */
    public boolean hasResourceSubscriptions() {
        return json.path("resources").path("subscribe").asBoolean(false);
    }

    /** Whether it notifies of changes of its list of prompts. */
    public boolean announcesPromptChanges() {
        return json.path("prompts").path("listChanged").asBoolean(false);
    }

    /** Whether it declared an extension. */
    public boolean hasExtension(String name) {
        return json.path("extensions").path(name).isObject();
    }

    /** Whether a tool call may become a task as defined in 2025-11-25. */
    public boolean hasLegacyTasks() {
        return json.path("tasks").path("requests").path("tools").path("call").isObject();
    }
}
