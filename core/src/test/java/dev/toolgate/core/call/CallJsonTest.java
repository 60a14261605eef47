package dev.toolgate.core.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CallJsonTest {
    private static final Caller CALLER = new Caller(
            new TenantId("acme"), new AgentId("a/1"), new SessionId("s"), new WorkspaceId("w"), "key:12345678");

    @Test
    void a_call_is_read_back_completely_with_identical_arguments() {
        String odd = "{\"b\":1.50,\"a\":\"\\u0000 ü\",\"n\":null,\"big\":123456789012345678901234567890}";
        Call call = full((ObjectNode) Json.MAPPER.readTree(odd));

        Call read = CallJson.read(CallJson.write(call));

        assertThat(read.arguments().toString()).isEqualTo(call.arguments().toString());
        assertThat(read)
                .usingRecursiveComparison()
                .ignoringFields("listener", "cancellation", "whenHeld", "arguments")
                .isEqualTo(call);
        assertThat(read.whenHeld()).isEqualTo(Call.WhenHeld.RETURN);
    }

    @Test
    void the_tested_call_has_a_value_in_every_component() throws Exception {
        Call call = full(Json.MAPPER.createObjectNode().put("a", 1));

        assertFilled(call);
        assertFilled(call.caller());
        assertFilled(call.context());
        assertFilled(call.bounds());
        assertFilled(requireNonNull(requireNonNull(call.scope()).permissions().get("bash")));
    }

    @Test
    void a_call_stored_without_context_is_read_with_none() {
        ObjectNode old = (ObjectNode) Json.MAPPER.readTree(CallJson.write(full(Json.MAPPER.createObjectNode())));
        old.remove("context");

        assertThat(CallJson.read(old.toString()).context()).isEqualTo(CallContext.NONE);
    }

    private static Call full(ObjectNode arguments) {
        return Call.of(CALLER, "Alias", arguments)
                .as(new RequestId("r-1"))
                .permittedFor(Duration.ofMinutes(3))
                .purpose("deploy", "p")
                .within(new Bounds(
                        5L,
                        6,
                        Duration.ofMillis(1500),
                        List.of("y"),
                        List.of("x"),
                        List.of("example.org"),
                        List.of("ls"),
                        List.of("rm")))
                .scopedTo(
                        new ToolScope(Map.of("bash", new ToolPermission(true, List.of("src"), Duration.ofSeconds(3)))))
                .trusting(TrustLevel.SUPERVISED)
                .from(new CallContext(
                        "correlation",
                        "conversation",
                        "message",
                        "tool call",
                        "task",
                        "step",
                        Instant.parse("2026-03-01T12:00:00.5Z"),
                        "client/1.0",
                        "17"));
    }

    // A component without a value here would not be tested.
    private static void assertFilled(Record value) throws Exception {
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            Object is = component.getAccessor().invoke(value);
            assertThat(is).as(component.getName()).isNotNull().isNotEqualTo(List.of());
        }
    }

    @Test
    void a_caller_that_cannot_return_is_stored_as_such() {
        Call call = Call.of(CALLER, "bash", Json.MAPPER.createObjectNode());

        assertThat(CallJson.read(CallJson.write(call.held(Call.WhenHeld.WAIT_OR_WITHDRAW)))
                        .whenHeld())
                .isEqualTo(Call.WhenHeld.WAIT_OR_WITHDRAW);
        assertThat(CallJson.read(CallJson.write(call.held(Call.WhenHeld.WAIT))).whenHeld())
                .isEqualTo(Call.WhenHeld.RETURN);
    }

    @Test
    void no_limits_stay_no_limits_and_an_empty_scope_stays_empty() {
        Call plain = Call.of(CALLER, "bash", Json.MAPPER.createObjectNode());

        assertThat(CallJson.read(CallJson.write(plain)).bounds()).isEqualTo(Bounds.none());
        assertThat(CallJson.read(CallJson.write(plain)).scope()).isNull();
        assertThat(CallJson.read(CallJson.write(plain.scopedTo(new ToolScope(Map.of()))))
                        .scope())
                .isEqualTo(new ToolScope(Map.of()));
    }
}
