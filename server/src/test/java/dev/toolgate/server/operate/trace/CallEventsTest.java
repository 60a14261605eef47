package dev.toolgate.server.operate.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.operate.TestGate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallEventsTest {
    private static final int ATTRIBUTES = 6;
    private static final int EVENT_NAME = 12;

    private final TestGate parts = new TestGate(text -> {
        if (text.startsWith("fail")) {
            throw new ToolFailure(ErrorCode.FILE_NOT_FOUND, "no such " + text);
        }
        return Output.text("said " + text);
    });
    private Collector collector;

    @BeforeEach
    void open() throws IOException {
        collector = new Collector();
    }

    @AfterEach
    void close() {
        collector.close();
    }

    private List<Protobuf> events(Consumer<Gate> calls) {
        try (OpenTelemetryParts telemetry = Telemetry.open(
                        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(), "OTEL_LOGS_EXPORTER", "otlp"))
                .orElseThrow()) {
            calls.accept(parts.gate(
                    CallTracing.NONE, telemetry.callEvents(parts.names).orElseThrow()));
        }
        return collector.logRecords();
    }

    @Test
    void a_call_has_an_event_when_requested_and_when_completed() {
        List<Protobuf> events = events(gate ->
                TestGate.send(gate, TestGate.say("PLANTED").from(CallContext.NONE.inTask("task_001", "step_004"))));

        assertThat(events)
                .extracting(event -> event.text(EVENT_NAME))
                .containsExactly("tool_requested", "tool_completed");
        for (Protobuf event : events) {
            assertThat(event.attributes(ATTRIBUTES))
                    .containsEntry("tenant_id", "local")
                    .containsEntry("gen_ai.agent.id", "local")
                    .containsEntry("gen_ai.tool.name", "say")
                    .containsEntry("task_id", "task_001")
                    .containsEntry("step_id", "step_004")
                    .doesNotContainKey("session_id");
            assertThat(event.attributes(ATTRIBUTES).toString()).doesNotContain("PLANTED");
        }
        assertThat(events.getLast().attributes(ATTRIBUTES))
                .containsEntry("status", "succeeded")
                .containsKey("duration_ms")
                .doesNotContainKey("error.type");
    }

    @Test
    void a_resumed_call_has_one_requested_event() {
        Call call = Call.of(
                        Caller.local(), "say", Json.MAPPER.createObjectNode().put("text", "held"))
                .from(CallContext.NONE.inTask("task_001", "step_004").correlatedBy("corr_1"));
        List<Protobuf> events = events(gate -> gate.resume(
                CallJson.read(CallJson.write(call)),
                new AnsweredQuestion(),
                new Approvals.Answer(Approvals.Verdict.APPROVED, "ada", null, Instant.EPOCH)));

        assertThat(events).extracting(event -> event.text(EVENT_NAME)).containsExactly("tool_completed");
        assertThat(events.getFirst().attributes(ATTRIBUTES))
                .containsEntry("status", "succeeded")
                .containsEntry("task_id", "task_001")
                .containsEntry("step_id", "step_004")
                .containsEntry("correlation_id", "corr_1");
    }

    /** An approved request that is not claimed yet. */
    private record AnsweredQuestion() implements HeldQuestion {
        @Override
        public UUID id() {
            return new UUID(1, 2);
        }

        @Override
        public Instant expiresAt() {
            return Instant.MAX;
        }

        @Override
        public Optional<Approvals.Answer> await(Duration timeout) {
            return Optional.empty();
        }

        @Override
        public boolean claim() {
            return true;
        }

        @Override
        public void releaseClaim() {}

        @Override
        public void withdraw() {}

        @Override
        public void ended() {}
    }

    @Test
    void events_of_failed_and_denied_calls_have_no_messages() {
        List<Protobuf> events = events(gate -> {
            TestGate.send(gate, TestGate.say("fail PLANTED"));
            TestGate.send(gate, TestGate.say("x").in(new SessionId("sess_789"), null));
            gate.refuse(
                    TestGate.ALICE,
                    TestGate.call("PLANTED", "x"),
                    Failure.of(ErrorCode.PERMISSION_DENIED, "not PLANTED"));
        });

        List<Map<String, String>> ends = events.stream()
                .filter(event -> event.text(EVENT_NAME).equals("tool_completed"))
                .map(event -> event.attributes(ATTRIBUTES))
                .toList();
        assertThat(ends).extracting(end -> end.get("status")).containsExactly("failed", "denied", "denied");
        assertThat(ends)
                .extracting(end -> end.get("error.type"))
                .containsExactly("FILE_NOT_FOUND", "SESSION_NOT_FOUND", "PERMISSION_DENIED");
        assertThat(ends.get(1)).containsEntry("session_id", "sess_789");
        assertThat(ends.toString()).doesNotContain("PLANTED");
    }

    @Test
    void no_events_are_exported_if_only_traces_are_enabled() {
        try (OpenTelemetryParts telemetry = Telemetry.open(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()))
                .orElseThrow()) {
            assertThat(telemetry.callEvents(parts.names)).isEmpty();
        }
    }
}
