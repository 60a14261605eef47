package dev.toolgate.mcp.client;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills a form with the defaults of its schema. */
public final class ElicitationDefaults {
    private ElicitationDefaults() {}

    /** Adds the default of every property that the content lacks. */
    public static ObjectNode fill(JsonNode requestedSchema, ObjectNode content) {
        for (Map.Entry<String, JsonNode> property :
                requestedSchema.path("properties").properties()) {
            JsonNode fallback = property.getValue().get("default");
            if (fallback != null && !content.has(property.getKey())) {
                content.set(property.getKey(), fallback);
            }
        }
        return content;
    }
}
