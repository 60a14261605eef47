package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The name and version that a client or server reports; for display and logs, never for decisions.
 *
 * @param title a display name; null if there is none
 */
public record Implementation(
        String name, String version, @Nullable String title) {
    private static final int MAX_LENGTH = 200;

    public Implementation(String name, String version) {
        this(name, version, null);
    }

    /** The JSON of the implementation. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", name).put("version", version);
        if (title != null) {
            json.put("title", title);
        }
        return json;
    }

    /** Reads an implementation and truncates long values; null if there is no name. */
    public static @Nullable Implementation read(@Nullable JsonNode json) {
        if (json == null || !json.path("name").isString()) {
            return null;
        }
        JsonNode title = json.path("title");
        return new Implementation(
                cut(json.path("name").stringValue()),
                cut(json.path("version").asString("")),
                title.isString() ? cut(title.stringValue()) : null);
    }

    private static String cut(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH);
    }
}
