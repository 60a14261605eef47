package dev.toolgate.server.config;

import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and describes the values of one type.
 *
 * @param read reads the value, or throws {@link IllegalArgumentException} with what it must be
 * @param fromText converts the text of the environment or command line to the JSON the file would have
 * @param schema its JSON Schema
 */
record ValueFormat(Function<JsonNode, Object> read, Function<String, JsonNode> fromText, ObjectNode schema) {

    Object parse(String text) {
        return read.apply(fromText.apply(text));
    }
}
