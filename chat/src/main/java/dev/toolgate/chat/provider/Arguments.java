package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of an earlier call, for providers that accept only an object. */
final class Arguments {
    private Arguments() {}

    /** The arguments; an empty object if they were not one, which the call's result has reported. */
    static ObjectNode objectOf(ToolCall call) {
        try {
            if (Json.MAPPER.readTree(call.input()) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException malformed) {
            // falls through
        }
        return Json.MAPPER.createObjectNode();
    }
}
