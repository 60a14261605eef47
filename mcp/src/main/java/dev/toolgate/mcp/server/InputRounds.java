package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ElicitResult;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets a request ask its client for input. A modern client gets the questions as the result and retries the request; a
 * legacy client is asked over the stream, and the request is executed again with its answers.
 */
final class InputRounds {
    private final EngineSettings settings;

    InputRounds(EngineSettings settings) {
        this.settings = settings;
    }

    /** One execution of a request. */
    @FunctionalInterface
    interface Attempt {
        CallOutcome with(InputAnswers answers) throws InterruptedException;
    }

    MethodResult run(RunningRequest request, Attempt attempt) throws InterruptedException {
        boolean modern = request.era() == Era.MODERN;
        InputAnswers answers = modern ? request.params().answers() : InputAnswers.NONE;
        for (int round = 0; round <= settings.maxInputRounds(); round++) {
            switch (attempt.with(answers)) {
                case CallOutcome.Finished finished -> {
                    return MethodResult.complete(finished.result());
                }
                case CallOutcome.TaskCreated created -> {
                    return created(request, created.task());
                }
                case CallOutcome.InputRequired input -> {
                    input.requests().values().forEach(question -> requireDeclared(request, question));
                    if (modern) {
                        return inputRequired(input);
                    }
                    answers = new InputAnswers(ask(request, input.requests()), input.state());
                }
            }
        }
        throw RpcErrorCode.INTERNAL_ERROR.exception(
                "The request asked its client " + settings.maxInputRounds() + " times, which is the maximum.");
    }

    private static MethodResult inputRequired(CallOutcome.InputRequired input) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        if (!input.requests().isEmpty()) {
            ObjectNode requests = result.putObject("inputRequests");
            input.requests().forEach((key, request) -> requests.set(key, request.json()));
        }
        if (input.state() != null) {
            result.put("requestState", input.state());
        }
        return new MethodResult(result, "input_required", null);
    }

    private static MethodResult created(RunningRequest request, TaskState task) {
        if (!request.acceptsTask()) {
            throw taskRefused(request);
        }
        return switch (request.era()) {
            case MODERN -> new MethodResult(task.summary(), "task", null);
            case LEGACY ->
                MethodResult.complete(JsonNodeFactory.instance.objectNode().set("task", task.legacySummary()));
        };
    }

    private static RpcException taskRefused(RunningRequest request) {
        if (request.era() == Era.LEGACY) {
            return RpcErrorCode.INVALID_REQUEST.exception("This call runs as a task only; send it with a task.");
        }
        return missing("tasks", TaskMethods.requiredCapabilities());
    }

    private static void requireDeclared(RunningRequest request, InputRequest question) {
        if (!question.kind().isDeclaredBy(request.capabilities())) {
            throw missing(question.kind().method(), question.kind().requiredCapabilities());
        }
    }

    static RpcException missing(String what, ObjectNode required) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.set("requiredCapabilities", required);
        return new RpcException(RpcErrorCode.MISSING_CLIENT_CAPABILITY.error(
                "The request needs a client that declares the capability for " + what + ".", data));
    }

    /** Asks a legacy client one question after the other. */
    Map<String, JsonNode> ask(RunningRequest request, Map<String, InputRequest> questions) throws InterruptedException {
        Map<String, JsonNode> answers = new LinkedHashMap<>();
        for (Map.Entry<String, InputRequest> question : questions.entrySet()) {
            answers.put(question.getKey(), ask(request, question.getValue()));
        }
        return answers;
    }

    private JsonNode ask(RunningRequest request, InputRequest question) throws InterruptedException {
        return switch (request.ask(question, settings.askTimeout())) {
            case RpcMessage.Result result -> result.result();
            case RpcMessage.Failure failure -> unanswered(question, failure.error());
            case null -> unanswered(question, RpcErrorCode.INTERNAL_ERROR.error("The client did not answer in time."));
        };
    }

    /** A person who did not respond counts as having cancelled; for a model or the list of roots the request fails. */
    private static JsonNode unanswered(InputRequest question, RpcError error) {
        return switch (question.kind()) {
            case ELICIT_FORM, ELICIT_URL -> new ElicitResult(ElicitResult.Action.CANCEL, null).json();
            case SAMPLE, LIST_ROOTS ->
                throw new RpcException(new RpcError(
                        error.code(),
                        "The client did not answer " + question.kind().method() + ": " + error.message(),
                        error.data()));
        };
    }

    /** A question of a task, in 2025-11-25. */
    static InputRequest related(InputRequest question, String taskId) {
        ObjectNode params = question.params();
        ObjectNode changed = params == null ? JsonNodeFactory.instance.objectNode() : params.deepCopy();
        changed.withObjectProperty(MetaKeys.META)
                .putObject(MetaKeys.RELATED_TASK)
                .put("taskId", taskId);
        return new InputRequest(question.kind(), changed);
    }
}
