package dev.toolgate.server.config;

import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How values of one type are written.
 *
 * @param read makes the value, or throws {@link IllegalArgumentException} with what it must be
 * @param fromText what the environment or the command line says, as it would stand in the file
 * @param schema what a JSON Schema says of it
 */
record Kind(Function<JsonNode, Object> read, Function<String, JsonNode> fromText, ObjectNode schema) {

    Object parse(String text) {
        return read.apply(fromText.apply(text));
    }
}
