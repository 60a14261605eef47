package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The capabilities that a client declared, including unknown ones. */
public record ClientCapabilities(ObjectNode json) {
    /** No capabilities. */
    public static final ClientCapabilities NONE = new ClientCapabilities(JsonNodeFactory.instance.objectNode());

    /** Reads them from a message; null if they are not an object. */
    public static @Nullable ClientCapabilities read(@Nullable JsonNode json) {
        return json instanceof ObjectNode object ? new ClientCapabilities(object) : null;
    }

    /**
     * Whether it shows forms; an empty declaration means forms, as the first revision with elicitation had nothing
     * else.
     */
    public boolean elicitsForms() {
        JsonNode elicitation = json.path("elicitation");
        return elicitation.isObject()
                && (elicitation.isEmpty() || elicitation.path("form").isObject());
    }

    /** Whether it directs a person to a URL. */
    public boolean elicitsUrls() {
        return json.path("elicitation").path("url").isObject();
    }

    /** Whether it can sample from a language model. */
    public boolean samples() {
        return json.path("sampling").isObject();
    }

    /** Whether it lists the folders it works in. */
    public boolean listsRoots() {
        return json.path("roots").isObject();
    }

    /** Whether it declared an extension. */
    public boolean hasExtension(String name) {
        return json.path("extensions").path(name).isObject();
    }

    /** Whether it supports the tasks extension. */
    public boolean acceptsTasks() {
        return hasExtension(MetaKeys.TASKS_EXTENSION);
    }
}
