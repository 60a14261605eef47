package dev.toolgate.server.operate.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.server.config.TelemetrySettings;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.operate.TestGate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallTracingTest {
    private static final int SPAN_NAME = 5;
    private static final int SPAN_ATTRIBUTES = 9;
    private static final String HEX_OF_PLANTED = "504c414e544544";

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

    private Protobuf span(TelemetrySettings settings, CallRequest call, @Nullable String traceparent) {
        try (OpenTelemetryParts telemetry = Telemetry.open(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()))
                .orElseThrow()) {
            CallTracing tracing = telemetry.calls(settings, parts.names, Redactor.standard());
            TestGate.send(parts.gate(tracing), call.tracedBy(traceparent));
        }
        assertThat(collector.spans()).hasSize(1);
        return collector.spans().getFirst();
    }

    @Test
    void a_call_is_a_span_with_the_attributes_of_tool_calls() {
        CallRequest call = TestGate.call("saySomething", "hello").named(new RequestId("r1"));
        Protobuf span =
                span(new TelemetrySettings(false), call, "00-0123456789abcdef0123456789abcdef-00f067aa0ba902b7-01");
        assertThat(span.text(SPAN_NAME)).isEqualTo("execute_tool say");
        assertThat(span.hex(1)).isEqualTo("0123456789abcdef0123456789abcdef");
        assertThat(span.hex(4)).as("parent").isEqualTo("00f067aa0ba902b7");
        assertThat(span.attributes(SPAN_ATTRIBUTES))
                .containsEntry("gen_ai.operation.name", "execute_tool")
                .containsEntry("gen_ai.tool.name", "say")
                .containsEntry("gen_ai.tool.type", "function")
                .containsEntry("gen_ai.tool.call.id", "r1")
                .containsEntry("gen_ai.agent.id", "local")
                .doesNotContainKey("error.type");
    }

    @Test
    void a_span_has_the_ids_of_the_calls_context() {
        CallRequest call = TestGate.say("hello")
                .from(new CallContext(
                        "corr_1", "talk_1", "message_1", "tool_call_1", "task_1", "step_1", null, "bot/1.2", null));
        Protobuf span = span(new TelemetrySettings(false), call, null);
        assertThat(span.attributes(SPAN_ATTRIBUTES))
                .containsEntry("correlation_id", "corr_1")
                .containsEntry("conversation_id", "talk_1")
                .containsEntry("gen_ai.conversation.id", "talk_1")
                .containsEntry("message_id", "message_1")
                .containsEntry("tool_call_id", "tool_call_1")
                .containsEntry("task_id", "task_1")
                .containsEntry("step_id", "step_1")
                .containsEntry("client", "bot/1.2");
    }

    @Test
    void arguments_results_and_messages_are_not_exported_by_default() {
        Protobuf span = span(new TelemetrySettings(false), TestGate.say("fail PLANTED"), "nonsense");
        assertThat(span.attributes(SPAN_ATTRIBUTES)).containsEntry("error.type", "FILE_NOT_FOUND");
        assertThat(span.attributes(SPAN_ATTRIBUTES).toString() + span.text(SPAN_NAME))
                .doesNotContain("PLANTED");
        assertThat(span.hex(15)).as("status").doesNotContain(HEX_OF_PLANTED);
        assertThat(span.hex(4)).as("parent").isEmpty();
    }

    @Test
    void content_is_captured_with_secrets_masked_if_enabled() {
        Protobuf span = span(new TelemetrySettings(true), TestGate.say("hello tg_0123456789abcdefPLANTED"), null);
        Map<String, String> attributes = span.attributes(SPAN_ATTRIBUTES);
        assertThat(attributes)
                .containsEntry("gen_ai.tool.call.arguments", "{\"text\":\"hello [redacted]\"}")
                .containsEntry("gen_ai.tool.call.result", "said hello [redacted]");
    }

    @Test
    void an_unknown_tool_name_is_not_exported() {
        Protobuf span = span(new TelemetrySettings(true), TestGate.call("PLANTED", "x"), null);
        assertThat(span.text(SPAN_NAME)).isEqualTo("execute_tool unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "OTEL_SERVICE_NAME=x", "OTEL_EXPORTER_OTLP_ENDPOINT=http://x OTEL_SDK_DISABLED=true"})
    void without_an_endpoint_nothing_is_started(String variables) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables.isEmpty() ? new String[0] : variables.split(" ")) {
            environment.put(variable.split("=")[0], variable.split("=")[1]);
        }
        assertThat(Telemetry.open(environment)).isEmpty();
    }

    @Test
    void without_an_endpoint_opentelemetry_is_not_loaded() throws Exception {
        Process java = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xlog:class+load:stdout",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Untraced.class.getName())
                .redirectErrorStream(true)
                .start();
        String loaded = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).isZero();
        assertThat(loaded).contains("dev.toolgate.server.gate.Gate").doesNotContain(" io.opentelemetry.");
    }

    /** A call through a gate without tracing. */
    static final class Untraced {
        public static void main(String[] args) {
            CallTracing tracing = Telemetry.open(Map.of())
                    .map(telemetry -> telemetry.calls(
                            new TelemetrySettings(false), new TestGate(Output::text).names, Redactor.standard()))
                    .orElse(CallTracing.NONE);
            TestGate.send(new TestGate(Output::text).gate(tracing), TestGate.say("hello"));
        }
    }
}
