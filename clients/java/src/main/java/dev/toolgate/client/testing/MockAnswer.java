package dev.toolgate.client.testing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** An answer of the mock, in the format of the gate. */
record MockAnswer(int status, Object body, String retryAfter) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static MockAnswer ok(Object body) {
        return new MockAnswer(200, body, "0");
    }

    static MockAnswer completed(String requestId, Object result) {
        Map<String, Object> output = new LinkedHashMap<>();
        output.put("success", true);
        output.put("data", result instanceof String text ? text : MAPPER.writeValueAsString(result));
        if (!(result instanceof String)) {
            output.put("structured", result);
        }
        return ok(Map.of("status", "allowed", "request_id", requestId, "result", output, "logged", true));
    }

    static MockAnswer failed(String requestId, String message) {
        Map<String, Object> error = Map.of(
                "code",
                "TOOL_EXECUTION_FAILED",
                "message",
                message,
                "retryable",
                false,
                "remediation",
                "Read the message, correct the arguments and try again.");
        Map<String, Object> result = Map.of("success", false, "data", message, "error", error);
        return ok(Map.of(
                "status", "allowed", "outcome", "failed", "request_id", requestId, "result", result, "logged", true));
    }

    static MockAnswer denied(
            int status, String requestId, String violation, String reason, List<String> allowed, String suggestion) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", "denied");
        body.put("request_id", requestId);
        body.put("reason", reason);
        body.put("violation_type", violation);
        body.put("allowed_tools", allowed);
        body.put("suggestion", suggestion);
        body.put("logged", true);
        return new MockAnswer(status, body, "0");
    }

    static MockAnswer pending(String requestId, String retryAfter) {
        Map<String, Object> body = Map.of(
                "status", "pending", "request_id", requestId, "approval_id", "00000000-0000-4000-8000-000000000000");
        return new MockAnswer(202, body, retryAfter);
    }

    static MockAnswer error(int status, String code, String message) {
        Map<String, Object> error = Map.of(
                "code",
                code,
                "message",
                message,
                "remediation",
                "Correct the request of the test.",
                "retryable",
                false,
                "correlation_id",
                "mock");
        return new MockAnswer(status, Map.of("error", error), "0");
    }

    byte[] content() {
        return MAPPER.writeValueAsBytes(body);
    }

    static Map<?, ?> read(byte[] json) {
        return json.length == 0 ? Map.of() : MAPPER.readValue(json, Map.class);
    }
}
