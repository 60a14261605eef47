package dev.toolgate.server.door.hook;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.server.gate.CallRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A call that a coding agent makes of one of its own tools.
 *
 * @param conversation the agent's conversation
 * @param message the message of the user in which the model makes the call
 * @param toolName the coding agent's own name of the tool
 * @param id the id that the model gave the call
 */
record HookCall(
        HookClient client,
        String conversation,
        @Nullable String message,
        String toolName,
        ObjectNode arguments,
        String id) {
    private static final int MAX_ID = 200;

    /** Checks the fields of a client's event that become a call; errors use the client's field names. */
    static void check(HookClient client, String toolName, String id) {
        TextFields.check(
                "tool_name",
                toolName,
                ToolNameFields.MAX_LENGTH - client.toolPrefix().length());
        checkId("tool_use_id", id);
    }

    static void checkId(String field, @Nullable String id) {
        TextFields.checkNullable(field, id, MAX_ID);
    }

    /** The tool as grants and records name it. */
    String tool() {
        return client.toolPrefix() + toolName;
    }

    /** The request for a permit. */
    CallRequest permit(Duration validFor) {
        return CallRequest.of(tool(), arguments)
                .permittedFor(validFor)
                .held(Call.WhenHeld.WAIT_THEN_RETURN)
                .from(CallContext.NONE
                        .inChat(conversation, message)
                        .withToolCallIdIfKnown(id)
                        .withClient(client.toString()));
    }

    /** Arguments as an object, which conditions and schemas need; other values are wrapped in a field {@code input}. */
    static ObjectNode object(@Nullable JsonNode input) {
        if (input instanceof ObjectNode object) {
            return object;
        }
        ObjectNode wrapped = Json.MAPPER.createObjectNode();
        if (input != null) {
            wrapped.set("input", input);
        }
        return wrapped;
    }
}
