package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.RetryAfterHeader;
import dev.toolgate.http.routing.Response;
import dev.toolgate.runtime.ToolRequest;
import dev.toolgate.runtime.ToolResult;
import dev.toolgate.server.door.PendingAnswer;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Encodes the outcome of an invocation as the tool result format that local and remote tools share. */
final class InvokeAnswer {
    private InvokeAnswer() {}

    static Response of(InvokedStep asked, Answer answer) {
        return switch (answer) {
            case Answer.Ended ended -> result(asked, withRemediation(ended.outcome()), Map.of());
            case Answer.Held held -> PendingAnswer.held(held, asked.location(held.requestId()));
            case Answer.Permitted _ -> throw new IllegalStateException("This door asks for no permits.");
            case Answer.Undecided undecided ->
                result(
                        asked,
                        undecided.asOutcome(),
                        RetryAfterHeader.of(undecided.failure().retryAfter()));
        };
    }

    private static Response result(InvokedStep asked, Outcome outcome, Map<String, String> headers) {
        ToolRequest request = new ToolRequest(
                asked.sessionId().value(),
                asked.taskId(),
                asked.stepId(),
                asked.toolName(),
                Map.of(),
                Bounds.none(),
                null);
        JsonNode result = Json.MAPPER.valueToTree(ToolResult.of(request, outcome));
        return new Response.Json(200, result, headers);
    }

    /** Adds the remediation to a refusal. */
    private static Outcome withRemediation(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> completed;
            case Outcome.Failed failed -> failed;
            case Outcome.Refused refused -> new Outcome.Refused(addRemediation(refused.failure()));
        };
    }

    private static Failure addRemediation(Failure failure) {
        return failure.withMessage(failure.message() + ". " + failure.code().remediation());
    }
}
