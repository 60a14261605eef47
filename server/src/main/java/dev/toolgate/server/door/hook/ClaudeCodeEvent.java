package dev.toolgate.server.door.hook;

import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The event that Claude Code sends to its HTTP hooks; only the fields that are used.
 *
 * @param sessionId its conversation
 * @param promptId the message of the user in which the model makes the call
 * @param toolUseId the id that the model gave the call
 * @param toolResponse the result of the tool; only after it ran
 * @param error why the tool failed; only after it failed
 * @param durationMs how long it ran
 */
record ClaudeCodeEvent(
        String sessionId,
        @Nullable String promptId,
        String hookEventName,
        String toolName,
        ObjectNode toolInput,
        String toolUseId,
        @Nullable JsonNode toolResponse,
        @Nullable String error,
        @Nullable JsonNode durationMs) {
    private static final JsonRecord<ClaudeCodeEvent> FIELDS =
            JsonRecord.of(ClaudeCodeEvent.class, FieldNames.SNAKE_CASE, JsonRecord.UnknownFields.IGNORED);

    ClaudeCodeEvent {
        HookCall.checkId("session_id", sessionId);
        HookCall.checkId("prompt_id", promptId);
        HookCall.check(HookClient.CLAUDE_CODE, toolName, toolUseId);
    }

    static HookEvent read(Exchange exchange) {
        return exchange.json(FIELDS).event();
    }

    private HookEvent event() {
        HookCall call = new HookCall(HookClient.CLAUDE_CODE, sessionId, promptId, toolName, toolInput, toolUseId);
        return switch (hookEventName) {
            case "PreToolUse" -> new HookEvent.Before(call);
            case "PostToolUse", "PostToolUseFailure" ->
                new HookEvent.After(
                        call,
                        error == null
                                ? HookEvent.completed(toolResponse)
                                : HookEvent.failed(HookClient.CLAUDE_CODE, error),
                        HookEvent.millis(durationMs));
            default -> throw HookEvent.unknown("PreToolUse", "PostToolUse", "PostToolUseFailure");
        };
    }
}
