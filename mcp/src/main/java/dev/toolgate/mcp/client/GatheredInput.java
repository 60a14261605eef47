package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.protocol.ElicitResult;
import dev.toolgate.mcp.protocol.InputRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Collects the input that a server of the modern era requests with {@code input_required}. */
final class GatheredInput {
    private static final int MAX_REQUESTS = 32;

    private GatheredInput() {}

    /** The additional parameters with which the request is retried. */
    static ObjectNode retry(ObjectNode inputRequired, InputHandler handler) throws McpFailure {
        ObjectNode more = JsonNodeFactory.instance.objectNode();
        if (inputRequired.get("inputRequests") instanceof ObjectNode requests) {
            more.set("inputResponses", answers(requests, handler));
        }
        JsonNode state = inputRequired.get("requestState");
        if (state != null) {
            more.set("requestState", state);
        }
        if (more.isEmpty()) {
            throw new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server requires input but sent neither inputRequests nor requestState.");
        }
        return more;
    }

    /** The answers to all requests, under the server's keys. */
    static ObjectNode answers(ObjectNode requests, InputHandler handler) throws McpFailure {
        if (requests.size() > MAX_REQUESTS) {
            throw new McpFailure(
                    McpFailureKind.INPUT_REFUSED,
                    "The server asks for " + requests.size() + " inputs at once; at most " + MAX_REQUESTS
                            + " are answered.");
        }
        Map<String, InputRequest> asked = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : requests.properties()) {
            asked.put(entry.getKey(), read(entry.getValue()));
        }
        ObjectNode answers = JsonNodeFactory.instance.objectNode();
        Map<String, InputAnswer> given = answered(asked, handler);
        for (Map.Entry<String, InputRequest> request : asked.entrySet()) {
            answers.set(
                    request.getKey(),
                    switch (given.get(request.getKey())) {
                        case InputAnswer.Given answer -> answer.result();
                        case InputAnswer.Refused refused -> refusal(request.getValue(), refused.reason());
                        case null -> refusal(request.getValue(), "The input request was not answered.");
                    });
        }
        return answers;
    }

    private static InputRequest read(JsonNode request) throws McpFailure {
        InputRequest input = InputRequest.read(request.path("method").asString(""), request.get("params"));
        if (input == null) {
            throw new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server requests a kind of input that is not part of the protocol.");
        }
        return input;
    }

    private static Map<String, InputAnswer> answered(Map<String, InputRequest> asked, InputHandler handler)
            throws McpFailure {
        try {
            return handler.answerAll(asked);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(
                    McpFailureKind.CANCELLED, "The call was cancelled while its server waited for input.", stopped);
        }
    }

    // A question to a person can be declined; a model's answer or a list of folders cannot.
    private static ObjectNode refusal(InputRequest input, String reason) throws McpFailure {
        return switch (input.kind()) {
            case ELICIT_FORM, ELICIT_URL -> new ElicitResult(ElicitResult.Action.DECLINE, null).json();
            case SAMPLE, LIST_ROOTS -> throw new McpFailure(McpFailureKind.INPUT_REFUSED, reason);
        };
    }
}
