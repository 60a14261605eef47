package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.protocol.McpMethods;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Waits for the task that a server created for a call: polls its state, provides input, and cancels it with the call.
 */
final class TaskFollower {
    private static final Duration MIN_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(30);
    private static final Duration DEFAULT_PAUSE = Duration.ofSeconds(1);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private final McpClient client;
    private final InputHandler input;
    private final CallOptions options;
    private final CallTimeout timeout;
    private final Set<String> answered = new HashSet<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);

    TaskFollower(McpClient client, InputHandler input, CallOptions options, CallTimeout timeout) {
        this.client = client;
        this.input = input;
        this.options = options;
        this.timeout = timeout;
    }

    /** The result of the call. */
    ObjectNode result(ObjectNode created) throws McpFailure {
        String id = created.path("taskId").asString("");
        CallCancellation cancellation = options.cancellation();
        CallCancellation.Reaction reaction = reason -> cancelled.countDown();
        if (cancellation != null) {
            cancellation.onCancel(reaction);
        }
        try {
            return follow(id, created);
        } catch (McpFailure failed) {
            if (failed.kind() == McpFailureKind.CANCELLED || failed.kind() == McpFailureKind.TIMEOUT) {
                cancel(id);
            }
            throw failed;
        } finally {
            if (cancellation != null) {
                cancellation.forget(reaction);
            }
        }
    }

    private ObjectNode follow(String id, ObjectNode created) throws McpFailure {
        long end = System.nanoTime() + timeout.max().toNanos();
        ObjectNode state = created;
        boolean asked = false; // the state returned at creation may lack the result
        while (true) {
            switch (state.path("status").asString("")) {
                case "completed" -> {
                    if (state.get("result") instanceof ObjectNode result) {
                        return result;
                    }
                    if (asked) {
                        throw invalid("A task completed without a result.");
                    }
                }
                case "failed" -> {
                    if (state.has("error")) {
                        throw McpFailure.answered(error(state.path("error")));
                    }
                    if (asked) {
                        throw invalid("A task failed without an error.");
                    }
                }
                case "cancelled" -> throw new McpFailure(McpFailureKind.CANCELLED, "The server cancelled the task.");
                case "input_required" -> provideInput(id, state);
                case "working" -> {}
                default -> throw invalid("A task has a status that is not part of the protocol.");
            }
            pause(state, end);
            state = client.request(McpMethods.TASKS_GET, idOnly(id), requestOptions());
            asked = true;
        }
    }

    private void provideInput(String id, ObjectNode state) throws McpFailure {
        if (!(state.get("inputRequests") instanceof ObjectNode requests)) {
            return;
        }
        ObjectNode open = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> request : requests.properties()) {
            if (!answered.contains(request.getKey())) {
                open.set(request.getKey(), request.getValue());
            }
        }
        if (open.isEmpty()) {
            return;
        }
        if (answered.size() + open.size() > client.limits().maxInputRounds() * 32) {
            throw new McpFailure(McpFailureKind.INPUT_REFUSED, "The server asks for input too often.");
        }
        ObjectNode params = idOnly(id);
        params.set("inputResponses", GatheredInput.answers(open, input));
        open.properties().forEach(request -> answered.add(request.getKey()));
        client.request(McpMethods.TASKS_UPDATE, params, requestOptions());
    }

    private void pause(ObjectNode state, long end) throws McpFailure {
        JsonNode asked = state.path("pollIntervalMs");
        Duration interval = asked.isIntegralNumber() && asked.canConvertToInt()
                ? Duration.ofMillis(asked.intValue())
                : DEFAULT_PAUSE;
        Duration bounded = interval.compareTo(MIN_PAUSE) < 0
                ? MIN_PAUSE
                : interval.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : interval;
        long left = end - System.nanoTime();
        if (left <= 0) {
            throw new McpFailure(
                    McpFailureKind.TIMEOUT,
                    "The task did not end within " + timeout.max().toSeconds() + " s; it was cancelled.");
        }
        try {
            if (cancelled.await(Math.min(bounded.toNanos(), left), TimeUnit.NANOSECONDS)) {
                throw new McpFailure(McpFailureKind.CANCELLED, "The call was cancelled.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.CANCELLED, "The thread of the call was interrupted.", stopped);
        }
    }

    private void cancel(String id) {
        Thread.startVirtualThread(() -> {
            try {
                client.request(McpMethods.TASKS_CANCEL, idOnly(id), requestOptions());
            } catch (McpFailure notCancelled) {
                // The task expires with its time to live.
            }
        });
    }

    private CallOptions requestOptions() {
        return new CallOptions(
                CallTimeout.of(REQUEST_TIMEOUT), null, null, options.meta(), null, options.capabilities(), null);
    }

    private static ObjectNode idOnly(String id) {
        return JsonNodeFactory.instance.objectNode().put("taskId", id);
    }

    private static RpcError error(JsonNode error) {
        return new RpcError(
                error.path("code").asInt(0), error.path("message").asString("The task failed."), error.get("data"));
    }

    private static McpFailure invalid(String message) {
        return new McpFailure(McpFailureKind.INVALID_ANSWER, message);
    }
}
