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

/** Writes the outcome of an invocation as the result that local and remote tools share. */
final class InvokeAnswer {
    private InvokeAnswer() {}

    static Response of(InvokedStep asked, Answer answer) {
        return switch (answer) {
            case Answer.Ended ended -> result(asked, told(ended.outcome()), Map.of());
            case Answer.Held held -> PendingAnswer.held(held, asked.place(held.requestId()));
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

    /** A refusal says what would be needed. */
    private static Outcome told(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> completed;
            case Outcome.Failed failed -> failed;
            case Outcome.Refused refused -> new Outcome.Refused(withRemedy(refused.failure()));
        };
    }

    private static Failure withRemedy(Failure failure) {
        return failure.saying(failure.message() + ". " + failure.code().remediation());
    }
}
