package dev.toolgate.cli.local;

import dev.toolgate.core.json.Json;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parses {@code key=value} arguments to JSON, by the types of the tool's schema. */
final class KeyValueArguments {
    private KeyValueArguments() {}

    /**
     * @throws IllegalArgumentException if an argument has no {@code =}
     */
    static ObjectNode parse(List<String> words, ObjectNode schema) {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException(
                        "'" + word + "' is not an argument; write key=value, or pass an object with --json");
            }
            String key = word.substring(0, equals);
            String value = word.substring(equals + 1);
            JsonNode type = schema.path("properties").path(key).path("type");
            arguments.set(key, type.asString("string").equals("string") ? text(value) : literal(value));
        }
        return arguments;
    }

    private static JsonNode text(String value) {
        return Json.MAPPER.getNodeFactory().stringNode(value);
    }

    // A value that is not JSON stays text; schema validation then reports the expected type.
    private static JsonNode literal(String value) {
        try {
            return Json.MAPPER.readTree(value);
        } catch (JacksonException notJson) {
            return text(value);
        }
    }
}
