package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.door.PendingAnswer;
import dev.toolgate.server.door.TextFields;
import java.util.function.Supplier;

/** The step of a task that an invocation belongs to; repeated in the result so that the host can match it. */
record InvokedStep(String toolName, SessionId sessionId, String taskId, String stepId) {
    private static final int MAX_ID = 100;
    private static final int MAX_TOOL_NAME = 200;

    InvokedStep {
        TextFields.check("toolName", toolName, MAX_TOOL_NAME);
        TextFields.check("taskId", taskId, MAX_ID);
        TextFields.check("stepId", stepId, MAX_ID);
    }

    /** The step in the path and query of a request; the gate does not store steps, so hosts send it every time. */
    static InvokedStep of(Exchange exchange) {
        return checked(
                "step",
                () -> new InvokedStep(
                        exchange.path("tool_name"),
                        new SessionId(required(exchange, "sessionId")),
                        required(exchange, "taskId"),
                        required(exchange, "stepId")));
    }

    /** Where the result of the invocation can be collected. */
    String location(RequestId request) {
        return "/tools/" + PendingAnswer.encoded(toolName) + "/invocations/" + PendingAnswer.encoded(request.value())
                + "?sessionId=" + PendingAnswer.encoded(sessionId.value()) + "&taskId=" + PendingAnswer.encoded(taskId)
                + "&stepId=" + PendingAnswer.encoded(stepId);
    }

    static <T> T checked(String what, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest("The " + what + " of the invocation is invalid: " + wrong.getMessage());
        }
    }

    private static String required(Exchange exchange, String name) {
        return exchange.query()
                .text(name)
                .orElseThrow(() -> new BadRequest("The query parameter '" + name
                        + "' is missing; send the sessionId, taskId and stepId of the invocation."));
    }
}
