package dev.toolgate.server.door.hook;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.server.gate.CallRequest;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Claude Code sends to its HTTP hooks, as far as it is used.
 *
 * @param sessionId its conversation
 * @param promptId the message of the user in which the model makes the call
 * @param toolUseId the id that the model gave the call
 * @param toolResponse what the tool returned, after it ran
 * @param error why it failed, after it failed
 * @param durationMs how long it ran
 */
record HookEvent(
        String sessionId,
        @Nullable String promptId,
        String hookEventName,
        String toolName,
        ObjectNode toolInput,
        String toolUseId,
        @Nullable JsonNode toolResponse,
        @Nullable String error,
        @Nullable JsonNode durationMs) {
    /** Before the name of every tool of Claude Code, so that no other tool has its name. */
    static final String PREFIX = "claude-code:";

    private static final String CLIENT = "claude-code";
    private static final int MAX_ID = 200;

    HookEvent {
        TextFields.check("session_id", sessionId, MAX_ID);
        TextFields.checkNullable("prompt_id", promptId, MAX_ID);
        TextFields.check("tool_name", toolName, ToolNameFields.MAX_LENGTH - PREFIX.length());
        TextFields.check("tool_use_id", toolUseId, MAX_ID);
    }

    /** The tool as grants and records name it. */
    String tool() {
        return PREFIX + toolName;
    }

    /** The request for a permit. */
    CallRequest permit(Duration validFor) {
        return CallRequest.of(tool(), toolInput)
                .permittedFor(validFor)
                .held(Call.WhenHeld.WAIT_THEN_RETURN)
                .from(CallContext.NONE
                        .inChat(sessionId, promptId)
                        .calledBy(toolUseId)
                        .madeBy(CLIENT));
    }

    /** The outcome after the tool ran. */
    Outcome outcome() {
        return error == null
                ? new Outcome.Completed(Output.json(toolResponse))
                : new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, failure(error)));
    }

    private static String failure(String error) {
        return error.isBlank() ? "Claude Code reports that the tool failed" : error;
    }

    /** How long it ran, if that is known. */
    @Nullable
    Duration took() {
        JsonNode millis = Objects.requireNonNullElseGet(durationMs, () -> toolInput.missingNode());
        return millis.isNumber() && millis.asDouble() >= 0 && millis.asDouble() <= Integer.MAX_VALUE
                ? Duration.ofMillis((long) millis.asDouble())
                : null;
    }
}
