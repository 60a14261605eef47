package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.door.PendingAnswer;
import dev.toolgate.server.door.TextFields;
import java.util.function.Supplier;

/** The step of a task that an invocation belongs to: what a result repeats so that its host can tell results apart. */
record InvokedStep(String toolName, SessionId sessionId, String taskId, String stepId) {
    private static final int LONGEST_ID = 100;
    private static final int LONGEST_TOOL = 200;

    InvokedStep {
        TextFields.check("toolName", toolName, LONGEST_TOOL);
        TextFields.check("taskId", taskId, LONGEST_ID);
        TextFields.check("stepId", stepId, LONGEST_ID);
    }

    /** The step that a request names in its path and query: the gate keeps none, hosts send them every time. */
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
    String place(RequestId request) {
        return "/tools/" + PendingAnswer.encoded(toolName) + "/invocations/" + PendingAnswer.encoded(request.value())
                + "?sessionId=" + PendingAnswer.encoded(sessionId.value()) + "&taskId=" + PendingAnswer.encoded(taskId)
                + "&stepId=" + PendingAnswer.encoded(stepId);
    }

    static <T> T checked(String what, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest("The " + what + " of the invocation is not acceptable: " + wrong.getMessage());
        }
    }

    private static String required(Exchange exchange, String name) {
        return exchange.query()
                .text(name)
                .orElseThrow(() -> new BadRequest("The query parameter '" + name
                        + "' is missing; send the sessionId, taskId and stepId of the invocation."));
    }
}
