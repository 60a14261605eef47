package dev.toolgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.ToolResult;
import dev.toolgate.client.model.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Does what a recorded scenario says with a real client, and compares. It also runs alone, on another Java. */
final class ContractReplay {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Toolgate toolgate;
    private final ReplayServer server;
    private final BiFunction<Toolgate, Call, Object> making;
    private @Nullable Permit permit;

    private ContractReplay(Toolgate toolgate, ReplayServer server, BiFunction<Toolgate, Call, Object> making) {
        this.toolgate = toolgate;
        this.server = server;
        this.making = making;
    }

    /** Replays every scenario of a folder; for a JVM of its own. */
    public static void main(String[] arguments) throws IOException {
        List<Path> scenarios = scenarios(Path.of(arguments[0]));
        for (Path scenario : scenarios) {
            replay(scenario);
        }
        System.out.println("Replayed " + scenarios.size() + " scenarios on Java "
                + Runtime.version().feature());
    }

    static List<Path> scenarios(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    /** With execute, and where one exchange tells all, again with submit, which throws for no outcome. */
    static void replay(Path scenario) throws IOException {
        JsonNode recorded = MAPPER.readTree(Files.readString(scenario));
        replay(recorded, Toolgate::execute);
        boolean oneExchangeEach = recorded.path("steps")
                .valueStream()
                .allMatch(step -> step.path("do").asString().equals("execute")
                        && step.path("exchanges").size() == 1);
        if (oneExchangeEach) {
            replay(recorded, Toolgate::submit);
        }
    }

    private static void replay(JsonNode recorded, BiFunction<Toolgate, Call, Object> making) throws IOException {
        ManualTime time = new ManualTime();
        try (ReplayServer server = new ReplayServer(time)) {
            Toolgate toolgate = new ToolgateBuilder(Map.of())
                    .url(server.url())
                    .key(recorded.path("client").path("key").asString())
                    .agent(recorded.path("client").path("agent").asString())
                    .time(time)
                    .build();
            ContractReplay replay = new ContractReplay(toolgate, server, making);
            for (JsonNode step : recorded.path("steps")) {
                server.expect(step.path("exchanges"));
                Object seen = replay.attempt(step);
                server.verify();
                check(step, seen);
            }
        }
    }

    private Object attempt(JsonNode step) {
        try {
            return make(step);
        } catch (ToolgateException thrown) {
            return thrown;
        }
    }

    private Object make(JsonNode step) {
        JsonNode arguments = step.path("arguments");
        JsonNode options = step.path("options");
        String first = server.withIds(arguments.path(0).asString(""));
        return switch (step.path("do").asString()) {
            case "execute" -> making.apply(toolgate, call(first, arguments, options));
            case "submit" -> toolgate.submit(call(first, arguments, options));
            case "collect" -> toolgate.collect(first, Duration.ofMinutes(1));
            case "validate" ->
                arguments.size() == 1 ? toolgate.validate(first) : toolgate.validate(call(first, arguments, options));
            case "authorize" -> authorize(call(first, arguments, options), options);
            case "report" -> report(first, options);
            case "audit" -> audit(options);
            default -> throw new AssertionError("Unknown step: " + step);
        };
    }

    private static Call call(String tool, JsonNode arguments, JsonNode options) {
        Call call = Call.of(tool, MAPPER.convertValue(arguments.path(1), new TypeReference<Map<String, Object>>() {}));
        call = options.has("agent") ? call.as(options.path("agent").asString()) : call;
        return options.has("request_id")
                ? call.withId(options.path("request_id").asString())
                : call;
    }

    private Permit authorize(Call call, JsonNode options) {
        ToolCall wanted = ToolCall.of(call);
        permit = toolgate.authorize(
                options.has("tool_call_id")
                        ? wanted.withToolCallId(options.path("tool_call_id").asString())
                        : wanted);
        return permit;
    }

    private Outcome report(String status, JsonNode options) {
        Permit open = Objects.requireNonNull(permit);
        return status.equals("succeeded")
                ? open.succeeded(options.path("output").asString())
                : open.failed(options.path("error").asString());
    }

    private List<?> audit(JsonNode options) {
        AuditQuery query = AuditQuery.all();
        for (Map.Entry<String, JsonNode> option : options.properties()) {
            query = query.with(option.getKey(), option.getValue().asString());
        }
        return toolgate.audit().list(query).toList();
    }

    private static void check(JsonNode step, Object seen) {
        JsonNode expect = step.path("expect");
        if (seen instanceof ToolgateException thrown) {
            assertThat(kind(thrown))
                    .as(thrown.toString())
                    .isEqualTo(expect.path("raises").asString());
        } else if (expect.has("outcome")) {
            assertThat(kind(seen)).isEqualTo(expect.path("outcome").asString());
        } else {
            assertThat(expect.has("raises")).as("throws nothing: " + seen).isFalse();
        }
        if (expect.has("count")) {
            assertThat((List<?>) seen).hasSize(expect.path("count").asInt());
        }
        JsonNode fields = MAPPER.valueToTree(fields(seen));
        expect.path("fields").properties().forEach(field -> assertThat(fields.path(field.getKey()))
                .as(field.getKey())
                .isEqualTo(field.getValue()));
        expect.path("kept").properties().forEach(field -> assertThat(
                        answer(seen).at(field.getKey()))
                .as(field.getKey())
                .isEqualTo(field.getValue()));
    }

    private static String kind(Object seen) {
        if (seen instanceof ApprovalDeniedException) return "approval_denied";
        if (seen instanceof ApprovalTimeoutException) return "approval_timeout";
        if (seen instanceof DeniedException) return "denied";
        if (seen instanceof ToolFailedException) return "tool_failed";
        if (seen instanceof AuthenticationException) return "authentication";
        if (seen instanceof RateLimitedException) return "rate_limited";
        if (seen instanceof ToolgateException) return "error";
        if (seen instanceof Outcome.Failed) return "failed";
        if (seen instanceof Outcome.Denied) return "denied";
        if (seen instanceof Outcome.Pending) return "pending";
        if (seen instanceof Permit) return "authorized";
        return "completed";
    }

    private static JsonNode answer(Object seen) {
        if (seen instanceof ToolResult result) return result.answer();
        if (seen instanceof Outcome outcome) return outcome.answer();
        return ((DeniedException) seen).denied().answer();
    }

    private static Map<String, @Nullable Object> fields(Object seen) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        if (seen instanceof Outcome.Completed completed) {
            return fields(completed.result());
        } else if (seen instanceof Outcome.Failed failed) {
            return fields(new ToolFailedException(failed));
        } else if (seen instanceof Outcome.Denied denied) {
            return fields(denied.exception());
        } else if (seen instanceof ToolResult result) {
            fields.put("success", result.success());
            fields.put("data", result.data());
            fields.put("structured", result.structured());
        } else if (seen instanceof Outcome.Pending pending) {
            fields.put("approval_id", pending.approvalId());
            fields.put("expires_at", String.valueOf(pending.expiresAt()));
        } else if (seen instanceof Permit permit) {
            fields.put("permit_expires_at", permit.expiresAt().toString());
            fields.put("parameters", permit.parameters());
        } else if (seen instanceof Validation validation) {
            fields.put("allowed", validation.allowed());
            fields.put("requires_approval", validation.requiresApproval());
            fields.put("violation_type", validation.violationType());
        } else if (seen instanceof ToolgateException thrown) {
            fields.put("code", thrown.code());
            fields.put("message", String.valueOf(thrown.getMessage()));
            fields.put("remediation", thrown.remediation());
            fields.put("retryable", thrown.retryable());
        }
        if (seen instanceof DeniedException denied) {
            fields.put("reason", denied.reason());
            fields.put("violation_type", denied.violationType());
            fields.put("allowed_tools", denied.allowedTools());
            fields.put("suggestion", denied.suggestion());
        }
        if (seen instanceof RateLimitedException limited && limited.retryAfter() != null) {
            fields.put("retry_after", (int) limited.retryAfter().toSeconds());
        }
        return fields;
    }
}
