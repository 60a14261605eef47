package dev.toolgate.server.door.hook;

import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The event that Cursor passes to its command hooks; only the fields that are used.
 *
 * @param conversationId its conversation
 * @param generationId the message of the user in which the model makes the call
 * @param toolInput the arguments; plain text for some tools
 * @param toolUseId the id that the model gave the call
 * @param toolOutput the result of the tool, as text
 * @param errorMessage why it failed
 * @param failureType the kind of failure, which includes a denied call
 * @param duration how long it ran, in milliseconds
 */
record CursorEvent(
        String conversationId,
        @Nullable String generationId,
        String hookEventName,
        String toolName,
        @Nullable JsonNode toolInput,
        String toolUseId,
        @Nullable JsonNode toolOutput,
        @Nullable String errorMessage,
        @Nullable String failureType,
        @Nullable JsonNode duration) {
    private static final JsonRecord<CursorEvent> FIELDS =
            JsonRecord.of(CursorEvent.class, FieldNames.SNAKE_CASE, JsonRecord.UnknownFields.IGNORED);

    CursorEvent {
        HookCall.checkId("conversation_id", conversationId);
        HookCall.checkId("generation_id", generationId);
        HookCall.check(HookClient.CURSOR, toolName, toolUseId);
    }

    static HookEvent read(Exchange exchange) {
        return exchange.json(FIELDS).event();
    }

    private HookEvent event() {
        HookCall call = new HookCall(
                HookClient.CURSOR, conversationId, generationId, toolName, HookCall.object(toolInput), toolUseId);
        return switch (hookEventName) {
            case "preToolUse" -> new HookEvent.Before(call);
            case "postToolUse" ->
                new HookEvent.After(call, HookEvent.completed(toolOutput), HookEvent.millis(duration));
            case "postToolUseFailure" ->
                "permission_denied".equals(failureType)
                        ? new HookEvent.NotRun(call, HookEvent.failed(HookClient.CURSOR, errorMessage))
                        : new HookEvent.After(
                                call, HookEvent.failed(HookClient.CURSOR, errorMessage), HookEvent.millis(duration));
            default -> throw HookEvent.unknown("preToolUse", "postToolUse", "postToolUseFailure");
        };
    }
}
