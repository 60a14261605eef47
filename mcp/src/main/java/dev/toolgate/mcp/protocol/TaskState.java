package dev.toolgate.mcp.protocol;

import dev.toolgate.mcp.jsonrpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state, visible to the client, of a request that continues after its response.
 *
 * @param statusMessage for people; null if there is none
 * @param ttl how long after its creation it is kept; null for no limit
 * @param pollInterval how often the client should poll; null for any interval
 */
public record TaskState(
        String id,
        Status status,
        @Nullable String statusMessage,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Duration ttl,
        @Nullable Duration pollInterval) {

    /** The status of the request. */
    public sealed interface Status {
        /** The name on the wire. */
        String wireName();
    }

    /** It is running. */
    public record Working() implements Status {
        @Override
        public String wireName() {
            return "working";
        }
    }

    /** It waits for input from the client; keys are unique within a task. */
    public record InputRequired(Map<String, InputRequest> requests) implements Status {
        @Override
        public String wireName() {
            return "input_required";
        }
    }

    /** It has a result, which may be a tool error. */
    public record Completed(ObjectNode result) implements Status {
        @Override
        public String wireName() {
            return "completed";
        }
    }

    /** It ended with a JSON-RPC error. */
    public record Failed(RpcError error) implements Status {
        @Override
        public String wireName() {
            return "failed";
        }
    }

    /** It was cancelled. */
    public record Cancelled() implements Status {
        @Override
        public String wireName() {
            return "cancelled";
        }
    }

    /** Whether the status is final. */
    public boolean isOver() {
        return switch (status) {
            case Working _, InputRequired _ -> false;
            case Completed _, Failed _, Cancelled _ -> true;
        };
    }

    /** The JSON for the response that creates the task. */
    public ObjectNode summary() {
        ObjectNode json = common();
        putMillis(json, "ttlMs", ttl);
        if (pollInterval != null) {
            json.put("pollIntervalMs", pollInterval.toMillis());
        }
        return json;
    }

    /** The summary, and what belongs to the status: requests, result or error. */
    public ObjectNode details() {
        ObjectNode json = summary();
        switch (status) {
            case Working _, Cancelled _ -> {}
            case InputRequired input -> {
                ObjectNode requests = json.putObject("inputRequests");
                input.requests().forEach((key, request) -> requests.set(key, request.json()));
            }
            case Completed completed -> json.set("result", completed.result());
            case Failed failed -> {
                ObjectNode error = json.putObject("error");
                error.put("code", failed.error().code())
                        .put("message", failed.error().message());
                if (failed.error().data() != null) {
                    error.set("data", failed.error().data());
                }
            }
        }
        return json;
    }

    /** The JSON of 2025-11-25: the result is requested separately, and a tool error fails its task. */
    public ObjectNode legacySummary() {
        ObjectNode json = common();
        if (status instanceof Completed completed
                && completed.result().path("isError").asBoolean(false)) {
            json.put("status", "failed");
        }
        putMillis(json, "ttl", ttl);
        if (pollInterval != null) {
            json.put("pollInterval", pollInterval.toMillis());
        }
        return json;
    }

    private ObjectNode common() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("taskId", id).put("status", status.wireName());
        if (statusMessage != null) {
            json.put("statusMessage", statusMessage);
        }
        json.put("createdAt", createdAt.truncatedTo(ChronoUnit.MILLIS).toString());
        json.put("lastUpdatedAt", updatedAt.truncatedTo(ChronoUnit.MILLIS).toString());
        return json;
    }

    private static void putMillis(ObjectNode json, String field, @Nullable Duration duration) {
        if (duration == null) {
            json.putNull(field);
        } else {
            json.put(field, duration.toMillis());
        }
    }
}
