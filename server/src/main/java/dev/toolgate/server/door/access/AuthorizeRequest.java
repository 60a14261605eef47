package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.server.config.ExternalToolSettings;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.server.gate.CallRequest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a request to run a tool outside the gate: that of a request to execute one, with additional fields.
 *
 * @param toolCallId the id that the model gave the call
 * @param source the program that will run the tool, as it names itself
 * @param expiresIn within how many seconds the outcome will be reported
 */
record AuthorizeRequest(
        RequestId requestId,
        AgentId agentId,
        @Nullable String projectId,
        String toolName,
        String operation,
        ObjectNode parameters,
        @Nullable SessionId sessionId,
        @Nullable Instant timestamp,
        @Nullable String toolCallId,
        @Nullable String source,
        @Nullable Integer expiresIn) {
    private static final int MAX_TEXT = 200;

    AuthorizeRequest {
        TextFields.checkNullable("tool_call_id", toolCallId, MAX_TEXT);
        TextFields.checkNullable("source", source, MAX_TEXT);
        if (expiresIn != null && expiresIn < 1) {
            throw new IllegalArgumentException("Field 'expires_in' must be at least 1 second.");
        }
        // Validates the fields that it shares with a request to execute.
        var _ = new ExecuteRequest(
                requestId, agentId, projectId, toolName, operation, parameters, sessionId, timestamp);
    }

    ExecuteRequest call() {
        return new ExecuteRequest(requestId, agentId, projectId, toolName, operation, parameters, sessionId, timestamp);
    }

    /** The request for a permit; a longer one than allowed is shortened, and the response says when it expires. */
    CallRequest permit(ExternalToolSettings settings) {
        CallRequest call = call().call();
        Duration wanted = expiresIn == null ? settings.permit() : Duration.ofSeconds(expiresIn);
        Duration granted = wanted.compareTo(settings.maxPermit()) > 0 ? settings.maxPermit() : wanted;
        return call.permittedFor(granted)
                .from(call.context().withToolCallIdIfKnown(toolCallId).withClient(source));
    }
}
