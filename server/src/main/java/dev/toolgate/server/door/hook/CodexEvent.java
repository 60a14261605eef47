package dev.toolgate.server.door.hook;

import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The event that the Codex CLI passes to its command hooks; only the fields that are used. There is no event for a
 * failed tool: such a call is recorded as interrupted when its permit expires.
 *
 * @param sessionId its conversation
 * @param turnId the message of the user in which the model makes the call
 * @param toolInput the arguments; plain text for some tools
 * @param toolUseId the id that the model gave the call
 * @param toolResponse the result of the tool; only after it ran
 */
record CodexEvent(
        String sessionId,
        @Nullable String turnId,
        String hookEventName,
        String toolName,
        @Nullable JsonNode toolInput,
        String toolUseId,
        @Nullable JsonNode toolResponse) {
    private static final JsonRecord<CodexEvent> FIELDS =
            JsonRecord.of(CodexEvent.class, FieldNames.SNAKE_CASE, JsonRecord.UnknownFields.IGNORED);

    CodexEvent {
        HookCall.checkId("session_id", sessionId);
        HookCall.checkId("turn_id", turnId);
        HookCall.check(HookClient.CODEX, toolName, toolUseId);
    }

    static HookEvent read(Exchange exchange) {
        return exchange.json(FIELDS).event();
    }

    private HookEvent event() {
        HookCall call =
                new HookCall(HookClient.CODEX, sessionId, turnId, toolName, HookCall.object(toolInput), toolUseId);
        return switch (hookEventName) {
            case "PreToolUse" -> new HookEvent.Before(call);
            case "PostToolUse" -> new HookEvent.After(call, HookEvent.completed(toolResponse), null);
            default -> throw HookEvent.unknown("PreToolUse", "PostToolUse");
        };
    }
}
