package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.mcp.client.InputAnswer;
import dev.toolgate.mcp.client.InputHandler;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.InputRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Forwards the input requests of a server during a call to the caller. */
record CallerInput(ToolContext context) implements InputHandler {
    private static final String ONE = "input";

    /** Elicitation by form and URL, sampling and roots; whether a request is answered depends on the caller. */
    static final ClientCapabilities CAPABILITIES = new ClientCapabilities((ObjectNode)
            Json.MAPPER.readTree("{\"elicitation\": {\"form\": {}, \"url\": {}}, \"sampling\": {}, \"roots\": {}}"));

    /** Cancels or refuses every request, for use outside calls. */
    static final InputHandler REFUSE_ALL = CallerInput::unanswered;

    @Override
    public InputAnswer answer(InputRequest request) throws InterruptedException {
        return answerAll(Map.of(ONE, request)).getOrDefault(ONE, unanswered(request));
    }

    @Override
    public Map<String, InputAnswer> answerAll(Map<String, InputRequest> requests) throws InterruptedException {
        Map<String, NeededInput> needed = new LinkedHashMap<>();
        requests.forEach((key, request) -> {
            ObjectNode params = request.params();
            needed.put(
                    key,
                    new NeededInput(request.kind().method(), params == null ? Json.MAPPER.createObjectNode() : params));
        });
        Map<String, ObjectNode> given = context.ask(needed);
        Map<String, InputAnswer> answers = new LinkedHashMap<>();
        requests.forEach((key, request) -> {
            ObjectNode answer = given.get(key);
            answers.put(key, answer == null ? unanswered(request) : new InputAnswer.Given(answer));
        });
        return answers;
    }

    private static InputAnswer unanswered(InputRequest request) {
        return switch (request.kind()) {
            case ELICIT_FORM, ELICIT_URL ->
                new InputAnswer.Given(Json.MAPPER.createObjectNode().put("action", "cancel"));
            case SAMPLE, LIST_ROOTS ->
                new InputAnswer.Refused(
                        "This client does not answer " + request.kind().method() + ".");
        };
    }
}
