package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.failure;
import static dev.toolgate.core.pipeline.Answers.output;
import static dev.toolgate.core.pipeline.Gate.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SealTest {
    private final Gate gate = new Gate();

    @Test
    void a_granted_call_runs_and_is_on_record() {
        Answer answer = gate.with(EchoTool.safe()).granting("echo").send("echo", Map.of("text", "hi"));

        assertThat(output(answer).text()).isEqualTo("hi");
        assertThat(output(answer).structured()).isEqualTo(new EchoTool.Result("hi"));
        assertThat(answer.logged()).isTrue();
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.tool()).isEqualTo("echo");
            assertThat(entry.allowed()).isTrue();
            assertThat(entry.parameters().path("text").asString()).isEqualTo("hi");
        });
    }

    @Test
    void a_result_that_cannot_be_recorded_is_withheld() {
        gate.with(EchoTool.safe()).granting("echo");
        gate.auditLog = new BrokenAuditLog();

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(answer.logged()).isFalse();
        assertThat(failure(answer).message()).contains("withheld");
    }

    @Test
    void long_output_is_cut_to_the_callers_limit() {
        gate.with(EchoTool.safe((_, _) -> Output.text("x".repeat(5000)))).granting("echo");

        assertThat(output(gate.send("echo", Map.of("text", "hi"))).text()).hasSizeLessThanOrEqualTo(1000);
        assertThat(output(gate.send(Gate.call("echo", Map.of("text", "hi")).within(Bounds.sizes(null, 200))))
                        .text())
                .hasSizeLessThanOrEqualTo(200)
                .contains("truncated");
    }

    @Test
    void artifacts_are_stored_and_referenced() throws Exception {
        gate.with(EchoTool.safe((_, _) -> Output.text("see artifact")
                        .attaching(
                                List.of(Artifact.of("tool_output", "text/plain", "out.txt", Content.of("all of it"))))))
                .granting("echo");

        String uri = Objects.requireNonNull(output(gate.send("echo", Map.of("text", "hi")))
                .artifacts()
                .getFirst()
                .uri());

        assertThat(uri).startsWith("workspaces/local/artifacts/");
        assertThat(gate.artifacts.find(ALICE.tenant(), uri)).isPresent();
        assertThat(gate.artifacts.find(new TenantId("other"), uri)).isEmpty();
    }

    @Test
    void secrets_stay_out_of_the_record_and_known_ones_out_of_the_result() {
        gate.redactor = gate.redactor.knowing(Set.of("s3cr3t-value"));
        gate.with(EchoTool.safe()).granting("echo");

        Answer answer = gate.send("echo", Map.of("text", "use s3cr3t-value or ghp_" + "a".repeat(36)));

        assertThat(output(answer).text()).doesNotContain("s3cr3t-value");
        assertThat(gate.audit.entries().toString())
                .doesNotContain("s3cr3t-value")
                .doesNotContain("ghp_aaaa");
    }
}
