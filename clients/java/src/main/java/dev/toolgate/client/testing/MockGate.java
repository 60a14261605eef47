package dev.toolgate.client.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The decisions and the state of the mock. */
final class MockGate {
    private static final String API = "/api/v1/";
    private static final String CALLS = API + "calls/";
    private static final String PERMISSIONS = API + "tools/permissions/";

    private final Map<String, List<String>> permissions = new TreeMap<>();
    private final Map<String, Function<Map<String, Object>, Object>> tools = new HashMap<>();
    private final Map<String, MockApprovals> held = new HashMap<>();
    private final Map<String, Known> known = new HashMap<>();
    private final List<MockCall> calls = new ArrayList<>();

    /** A call under an id; without an answer while it is held. */
    private record Known(
            String agent,
            String tool,
            Map<String, Object> parameters,
            String path,
            String outcome,
            @Nullable MockAnswer answer) {}

    MockGate(Map<String, ? extends Collection<String>> permissions) {
        permissions.forEach((agent, allowed) -> this.permissions.put(agent, List.copyOf(allowed)));
    }

    synchronized void tool(String name, Function<Map<String, Object>, Object> result) {
        tools.put(name, result);
    }

    synchronized void hold(String tool, MockApprovals approvals) {
        held.put(tool, approvals);
    }

    synchronized List<MockCall> calls() {
        return List.copyOf(calls);
    }

    synchronized Map<String, Object> execute(String agent, String tool, Map<String, Object> parameters) {
        Known call = new Known(agent, tool, parameters, API + "tools/execute", "pending", null);
        MockAnswer answer = call(UUID.randomUUID().toString(), call);
        Map<String, Object> body = new LinkedHashMap<>();
        MockAnswer.read(answer.content()).forEach((name, value) -> body.put(String.valueOf(name), value));
        return body;
    }

    synchronized MockAnswer answer(String method, String path, byte[] content) {
        Map<?, ?> body = MockAnswer.read(content);
        if (method.equals("GET") && path.equals(API + "tools")) {
            return MockAnswer.ok(allTools());
        }
        if (method.equals("GET") && path.startsWith(PERMISSIONS)) {
            return MockAnswer.ok(allowed(path.substring(PERMISSIONS.length())));
        }
        if (method.equals("GET") && path.startsWith(CALLS)) {
            return collect(path.substring(CALLS.length()));
        }
        if (method.equals("POST") && path.startsWith(CALLS) && path.endsWith("/outcome")) {
            return report(path.substring(CALLS.length(), path.length() - "/outcome".length()), body);
        }
        Known call = new Known(
                text(body, "agent_id"), text(body, "tool_name"), object(body, "parameters"), path, "pending", null);
        return switch (method + " " + path) {
            case "POST /api/v1/tools/execute", "POST /api/v1/tools/authorize" -> call(text(body, "request_id"), call);
            case "POST /api/v1/tools/validate" -> validate(call);
            default -> MockAnswer.error(404, "INVALID_REQUEST", "The mock does not have " + method + " " + path + ".");
        };
    }

    private MockAnswer call(String id, Known call) {
        Known earlier = known.get(id);
        if (earlier != null) {
            boolean same =
                    earlier.tool().equals(call.tool()) && earlier.parameters().equals(call.parameters());
            return same
                    ? collect(id)
                    : MockAnswer.error(409, "REQUEST_ID_TAKEN", "The request id '" + id + "' belongs to another call.");
        }
        if (!allowed(call.agent()).contains(call.tool())) {
            return decided(id, call, notPermitted(id, call), "denied");
        }
        MockApprovals approvals = held.get(call.tool());
        if (approvals == null) {
            return run(id, call);
        }
        known.put(id, call);
        return MockAnswer.pending(id, approvals == MockApprovals.UNANSWERED ? "1" : "0");
    }

    private MockAnswer collect(String id) {
        Known call = known.get(id);
        if (call == null) {
            return MockAnswer.error(404, "INVALID_REQUEST", "There is no call '" + id + "'.");
        }
        if (call.answer() != null) {
            return call.answer();
        }
        List<String> allowed = allowed(call.agent());
        return switch (held.getOrDefault(call.tool(), MockApprovals.APPROVED)) {
            case APPROVED -> run(id, call);
            case DENIED ->
                decided(
                        id,
                        call,
                        MockAnswer.denied(
                                403,
                                id,
                                "approval_denied",
                                "A person refused the call",
                                allowed,
                                "Choose another way; a person has said no to this call."),
                        "denied");
            case TIMED_OUT ->
                decided(
                        id,
                        call,
                        MockAnswer.denied(
                                408,
                                id,
                                "approval_timeout",
                                "Nobody approved or denied the call in time",
                                allowed,
                                "Send the call again when somebody can approve it."),
                        "denied");
            case UNANSWERED -> MockAnswer.pending(id, "1");
        };
    }

    private MockAnswer run(String id, Known call) {
        if (call.path().endsWith("/authorize")) {
            Map<String, Object> permit = Map.of(
                    "status",
                    "allowed",
                    "outcome",
                    "authorized",
                    "request_id",
                    id,
                    "permit_expires_at",
                    Instant.now().plus(Duration.ofMinutes(10)).toString(),
                    "parameters",
                    call.parameters(),
                    "logged",
                    true);
            return decided(id, call, MockAnswer.ok(permit), "authorized");
        }
        try {
            Object result = tools.getOrDefault(call.tool(), parameters -> "ok").apply(call.parameters());
            return decided(id, call, MockAnswer.completed(id, result), "completed");
        } catch (RuntimeException failure) {
            return decided(id, call, MockAnswer.failed(id, String.valueOf(failure.getMessage())), "failed");
        }
    }

    private MockAnswer report(String id, Map<?, ?> body) {
        Known call = known.get(id);
        if (call == null || call.answer() == null || !call.path().endsWith("/authorize")) {
            return MockAnswer.error(404, "INVALID_REQUEST", "There is no permit for call '" + id + "'.");
        }
        if (!call.outcome().equals("authorized")) {
            return call.answer();
        }
        Object output = body.get("output");
        return text(body, "status").equals("succeeded")
                ? decided(id, call, MockAnswer.completed(id, output == null ? "" : output), "completed")
                : decided(id, call, MockAnswer.failed(id, text(body, "error")), "failed");
    }

    private MockAnswer validate(Known call) {
        if (!allowed(call.agent()).contains(call.tool())) {
            return MockAnswer.ok(notPermitted("", call).body());
        }
        return MockAnswer.ok(
                held.containsKey(call.tool())
                        ? Map.of("status", "allowed", "requires_approval", true, "logged", false)
                        : Map.of("status", "allowed", "logged", false));
    }

    private MockAnswer decided(String id, Known call, MockAnswer answer, String outcome) {
        known.put(id, new Known(call.agent(), call.tool(), call.parameters(), call.path(), outcome, answer));
        calls.add(new MockCall(call.agent(), call.tool(), call.parameters(), outcome));
        return answer;
    }

    private MockAnswer notPermitted(String id, Known call) {
        return MockAnswer.denied(
                403,
                id,
                "permission_denied",
                "Agent '" + call.agent() + "' not permitted to use tool '" + call.tool() + "'",
                allowed(call.agent()),
                "Use one of the allowed tools, ask an operator to grant '" + call.tool() + "' to agent '" + call.agent()
                        + "', or use an agent that has it.");
    }

    private List<String> allowed(String agent) {
        return permissions.getOrDefault(agent, List.of());
    }

    private List<Map<String, Object>> allTools() {
        TreeSet<String> names = new TreeSet<>(tools.keySet());
        permissions.values().forEach(names::addAll);
        List<Map<String, Object>> all = new ArrayList<>();
        for (String name : names) {
            Map<String, Object> tool = new LinkedHashMap<>();
            tool.put("name", name);
            tool.put("description", "A tool of the mock.");
            tool.put("capability", "Mock.Call");
            tool.put("category", "external");
            tool.put("danger", "safe");
            tool.put("executed_by", "gate");
            tool.put("input_schema", Map.of("type", "object"));
            all.add(tool);
        }
        return all;
    }

    private static String text(Map<?, ?> body, String name) {
        return body.get(name) instanceof String text ? text : "";
    }

    private static Map<String, Object> object(Map<?, ?> body, String name) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (body.get(name) instanceof Map<?, ?> fields) {
            fields.forEach((key, value) -> object.put(String.valueOf(key), value));
        }
        return object;
    }
}
