package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.OfferedTasks;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The methods on tasks: those of the extension, and the earlier ones of 2025-11-25. */
final class TaskMethods {
    private final OfferedTasks tasks;
    private final InputRounds rounds;

    TaskMethods(OfferedTasks tasks, InputRounds rounds) {
        this.tasks = tasks;
        this.rounds = rounds;
    }

    static ObjectNode requiredCapabilities() {
        ObjectNode required = JsonNodeFactory.instance.objectNode();
        required.putObject("extensions").putObject(MetaKeys.TASKS_EXTENSION);
        return required;
    }

    static void requireDeclared(RunningRequest request) {
        if (!request.capabilities().acceptsTasks()) {
            throw InputRounds.missing("tasks", requiredCapabilities());
        }
    }

    MethodResult get(RunningRequest request) throws InterruptedException {
        requireDeclared(request);
        TaskState task = found(tasks.get(request, id(request)));
        if (task.isOver()) {
            tasks.sendingOutcome(request, task.id(), request::onDelivery);
        }
        return MethodResult.complete(task.details());
    }

    MethodResult update(RunningRequest request) throws InterruptedException {
        requireDeclared(request);
        found(tasks.answer(request, id(request), request.params().responses()));
        return MethodResult.empty();
    }

    MethodResult cancel(RunningRequest request) throws InterruptedException {
        requireDeclared(request);
        found(tasks.cancel(request, id(request)));
        return MethodResult.empty();
    }

    MethodResult legacyGet(RunningRequest request) throws InterruptedException {
        return MethodResult.complete(found(tasks.get(request, id(request))).legacySummary());
    }

    MethodResult legacyCancel(RunningRequest request) throws InterruptedException {
        TaskState task = found(tasks.get(request, id(request)));
        if (task.isOver()) {
            throw RpcErrorCode.INVALID_PARAMS.exception(
                    "The task is " + task.status().wireName() + " and cannot be cancelled any more.");
        }
        return MethodResult.complete(found(tasks.cancel(request, task.id())).legacySummary());
    }

    /** Waits for the result; when the task needs input, requests it over the same stream. */
    MethodResult legacyResult(RunningRequest request) throws InterruptedException {
        String id = id(request);
        while (true) {
            switch (found(tasks.await(request, id)).status()) {
                case TaskState.Completed completed -> {
                    tasks.sendingOutcome(request, id, request::onDelivery);
                    return MethodResult.complete(related(completed.result(), id));
                }
                case TaskState.Failed failed -> {
                    tasks.sendingOutcome(request, id, request::onDelivery);
                    throw new RpcException(failed.error());
                }
                case TaskState.Cancelled _ -> throw RpcErrorCode.INVALID_REQUEST.exception("The task was cancelled.");
                case TaskState.InputRequired input -> tasks.answer(request, id, ask(request, id, input));
                case TaskState.Working _ ->
                    throw RpcErrorCode.INTERNAL_ERROR.exception("The task has not ended yet; try again.");
            }
        }
    }

    private Map<String, JsonNode> ask(RunningRequest request, String id, TaskState.InputRequired input)
            throws InterruptedException {
        Map<String, InputRequest> questions = new LinkedHashMap<>();
        input.requests().forEach((key, question) -> questions.put(key, InputRounds.related(question, id)));
        return rounds.ask(request, questions);
    }

    private static ObjectNode related(ObjectNode result, String id) {
        ObjectNode copy = result.objectNode();
        result.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        ObjectNode meta =
                result.get(MetaKeys.META) instanceof ObjectNode present ? present.deepCopy() : copy.objectNode();
        meta.putObject(MetaKeys.RELATED_TASK).put("taskId", id);
        copy.set(MetaKeys.META, meta);
        return copy;
    }

    private static String id(RunningRequest request) {
        return request.params().text("taskId");
    }

    private static TaskState found(@Nullable TaskState task) {
        if (task == null) {
            throw RpcErrorCode.INVALID_PARAMS.exception("There is no such task, or not any more.");
        }
        return task;
    }
}
