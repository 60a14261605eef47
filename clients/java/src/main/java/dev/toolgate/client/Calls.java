package dev.toolgate.client;

import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.Validation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The path of a call from the client's side: sent, waited for, collected, permitted, reported. */
final class Calls {
    private static final Duration BETWEEN_COLLECTIONS = Duration.ofSeconds(1);

    private final Connection connection;
    private final @Nullable String agent;
    private final @Nullable String session;
    private final @Nullable String project;

    Calls(Connection connection, @Nullable String agent, @Nullable String session, @Nullable String project) {
        this.connection = connection;
        this.agent = agent;
        this.session = session;
        this.project = project;
    }

    Outcome submit(Call call) {
        String id = requestId(call);
        return sent(
                Request.call(
                        "/api/v1/tools/execute",
                        body(call).put("request_id", id).fields()),
                id);
    }

    Outcome execute(Call call) {
        String id = requestId(call);
        return await(submit(call.withId(id)), agentOf(call), call.maxWait());
    }

    Outcome collect(String requestId, String agentId, Duration wait) {
        Outcome now = OutcomeReader.read(connection.send(Request.get(callPath(requestId, agentId))));
        return await(now, agentId, wait);
    }

    Validation validate(Call call, @Nullable Map<String, Object> parameters) {
        Json.Body body = new Json.Body()
                .put("agent_id", agentOf(call))
                .put("project_id", call.project() == null ? project : call.project())
                .put("tool_name", call.tool())
                .put("operation", call.operation())
                .put("parameters", parameters)
                .put("session_id", call.session() == null ? session : call.session());
        JsonNode answer = connection
                .send(Request.call("/api/v1/tools/validate", body.fields()))
                .json();
        return new Validation(
                answer.path("status").asString("").equals("allowed"),
                answer.path("requires_approval").asBoolean(false),
                Json.text(answer.path("reason")),
                Json.text(answer.path("violation_type")),
                OutcomeReader.names(answer.path("allowed_tools")),
                Json.text(answer.path("suggestion")),
                answer);
    }

    /** A key that may read permissions lists all tools, so they are filtered by the agent's permissions. */
    List<Tool> tools(@Nullable String agentId) {
        String whose = agentId == null ? agent() : agentId;
        Set<String> allowed = new HashSet<>(OutcomeReader.names(connection
                .send(Request.get(Request.path("/api/v1/tools/permissions", whose)))
                .json()));
        JsonNode all = connection.send(Request.get("/api/v1/tools")).json();
        return Json.readList(all, Tool.class).stream()
                .filter(tool -> allowed.contains(tool.name()))
                .toList();
    }

    Permit authorize(ToolCall wanted) {
        Call call = wanted.call();
        String id = requestId(call);
        Duration expiresIn = wanted.expiresIn();
        Json.Body body = body(call)
                .put("request_id", id)
                .put("tool_call_id", wanted.toolCallId())
                .put("source", wanted.source() == null ? Connection.USER_AGENT : wanted.source())
                .put("expires_in", expiresIn == null ? null : expiresIn.toSeconds());
        Outcome outcome =
                await(sent(Request.call("/api/v1/tools/authorize", body.fields()), id), agentOf(call), call.maxWait());
        if (outcome instanceof Outcome.Pending open && open.status().equals(OutcomeReader.AUTHORIZED)) {
            return Permit.from(this, open, id, agentOf(call), call.parameters());
        }
        outcome.orThrow();
        throw new ToolgateException(
                "PERMIT_REPORTED",
                "The outcome of call '" + id + "' is on record already; its tool must not run again.",
                "Ask for a permit under a request id of its own.",
                false,
                outcome.correlationId());
    }

    Outcome report(String requestId, String agentId, Map<String, Object> outcome) {
        String path = Request.path("/api/v1/calls", requestId, "outcome");
        return OutcomeReader.read(connection.send(Request.call(Request.query(path, "agent_id", agentId), outcome)));
    }

    long nanos() {
        return connection.time().nanos();
    }

    private Outcome sent(Request request, String id) {
        try {
            return OutcomeReader.read(connection.send(request.with("Prefer", "respond-async")));
        } catch (ToolgateException failure) {
            if (!failure.code().equals("REQUEST_RUNNING")) {
                throw failure;
            }
            // An earlier attempt of this call was received; only its response was lost.
            return new Outcome.Pending(
                    id, "running", null, null, null, Json.valueOrText(Map.of()), failure.correlationId());
        }
    }

    private Outcome await(Outcome first, String agentId, Duration wait) {
        long start = connection.time().nanos();
        Outcome latest = first;
        while (latest instanceof Outcome.Pending pending && !pending.status().equals(OutcomeReader.AUTHORIZED)) {
            Duration left = wait.minusNanos(connection.time().nanos() - start);
            if (left.isNegative() || left.isZero()) {
                return latest;
            }
            Duration pause = pending.retryAfter() == null ? BETWEEN_COLLECTIONS : pending.retryAfter();
            connection.pause(pause.compareTo(left) < 0 ? pause : left);
            try {
                latest = OutcomeReader.read(connection.send(Request.get(callPath(pending.requestId(), agentId))));
            } catch (ToolgateException failure) {
                // A held call survives a restart of the gate, so the client keeps polling.
                if (!failure.retryable()
                        || wait.minusNanos(connection.time().nanos() - start).isNegative()) {
                    throw failure;
                }
            }
        }
        return latest;
    }

    private Json.Body body(Call call) {
        return new Json.Body()
                .put("agent_id", agentOf(call))
                .put("project_id", call.project() == null ? project : call.project())
                .put("tool_name", call.tool())
                .put("operation", call.operation())
                .put("parameters", call.parameters())
                .put("session_id", call.session() == null ? session : call.session());
    }

    private static String callPath(String requestId, String agentId) {
        return Request.query(Request.path("/api/v1/calls", requestId), "agent_id", agentId);
    }

    private static String requestId(Call call) {
        return call.requestId() == null ? UUID.randomUUID().toString() : call.requestId();
    }

    private String agentOf(Call call) {
        return call.agent() == null ? agent() : call.agent();
    }

    String agent() {
        if (agent == null) {
            throw new IllegalStateException(
                    "No agent is named: set TOOLGATE_AGENT, call agent(…) of the builder, or name one with the call.");
        }
        return agent;
    }
}
