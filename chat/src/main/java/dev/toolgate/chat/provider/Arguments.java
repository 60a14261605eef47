package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of an earlier call, for providers that take nothing but an object. */
final class Arguments {
    private Arguments() {}

    /** The arguments; an empty object if they never were one, which the call's result has told the model. */
    static ObjectNode objectOf(ToolCall call) {
        try {
            if (Json.MAPPER.readTree(call.input()) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException malformed) {
            // as below
        }
        return Json.MAPPER.createObjectNode();
    }
}
