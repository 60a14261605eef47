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
 * A request that goes on after it was answered, as its client may see it.
 *
 * @param statusMessage for people; null if there is none
 * @param ttl how long after its creation it may be asked for; null without limit
 * @param pollInterval how often to ask; null if it does not matter
 */
public record TaskState(
        String id,
        Status status,
        @Nullable String statusMessage,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Duration ttl,
        @Nullable Duration pollInterval) {

    /** How far the request has come. */
    public sealed interface Status {
        /** The name on the wire. */
        String wireName();
    }

    /** It is being carried out. */
    public record Working() implements Status {
        @Override
        public String wireName() {
            return "working";
        }
    }

    /** It waits for answers of the client; no key is used twice in the life of a task. */
    public record InputRequired(Map<String, InputRequest> requests) implements Status {
        @Override
        public String wireName() {
            return "input_required";
        }
    }

    /** It has a result, which may say that a tool failed. */
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

    /** It was given up. */
    public record Cancelled() implements Status {
        @Override
        public String wireName() {
            return "cancelled";
        }
    }

    /** Whether it will not change any more. */
    public boolean isOver() {
        return switch (status) {
            case Working _, InputRequired _ -> false;
            case Completed _, Failed _, Cancelled _ -> true;
        };
    }

    /** What is told when the task is created. */
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

    /** As 2025-11-25 writes it: the result is asked for separately, and a tool that failed fails its task. */
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
