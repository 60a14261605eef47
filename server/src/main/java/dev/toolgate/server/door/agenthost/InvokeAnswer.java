package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.routing.Response;
import dev.toolgate.runtime.ToolRequest;
import dev.toolgate.runtime.ToolResult;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Writes the outcome of an invocation as the result that local and remote tools share. */
final class InvokeAnswer {
    private InvokeAnswer() {}

    static Response of(InvokedStep asked, Outcome outcome) {
        ToolRequest request = new ToolRequest(
                asked.sessionId().value(),
                asked.taskId(),
                asked.stepId(),
                asked.toolName(),
                Map.of(),
                Bounds.none(),
                null);
        JsonNode result = Json.MAPPER.valueToTree(ToolResult.of(request, told(outcome)));
        return new Response.Json(200, result, headers(outcome));
    }

    /** A no says what would be a yes; what is neither is a failure. */
    private static Outcome told(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> completed;
            case Outcome.Failed failed -> failed;
            case Outcome.Refused refused ->
                refused.failure().code().leavesOpen()
                        ? new Outcome.Failed(refused.failure())
                        : new Outcome.Refused(withRemedy(refused.failure()));
        };
    }

    private static Failure withRemedy(Failure failure) {
        return failure.saying(failure.message() + ". " + failure.code().remediation());
    }

    private static Map<String, String> headers(Outcome outcome) {
        Object wait = outcome instanceof Outcome.Refused refused
                ? refused.failure().details().get("retryAfterSeconds")
                : null;
        return wait == null ? Map.of() : Map.of("Retry-After", wait.toString());
    }
}
