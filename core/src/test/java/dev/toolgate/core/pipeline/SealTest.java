package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.failure;
import static dev.toolgate.core.pipeline.Answers.output;
import static dev.toolgate.core.pipeline.Answers.refusal;
import static dev.toolgate.core.pipeline.Answers.undecided;
import static dev.toolgate.core.pipeline.Gate.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void a_full_store_is_reported_and_the_file_is_deleted(@TempDir Path folder) throws Exception {
        Path spooled = Files.writeString(folder.resolve("spooled"), "x".repeat(200));
        gate.artifacts = new InMemoryArtifacts(new ArtifactLimits(1000, 100));
        gate.with(EchoTool.safe((_, _) -> Output.text("the text")
                        .withArtifacts(List.of(
                                Artifact.of("tool_output", "text/plain", "out.txt", Content.in(spooled, 200))))))
                .granting("echo");

        Failure failure = failure(gate.send("echo", Map.of("text", "hi")));

        assertThat(failure.code()).isEqualTo(ErrorCode.WORKSPACE_UPLOAD_FAILED);
        assertThat(failure.message()).contains("could not be stored", "100 bytes", "quota");
        assertThat(Objects.requireNonNull(failure.partial()).text()).isEqualTo("the text");
        assertThat(failure.partial().artifacts()).isEmpty();
        assertThat(spooled).doesNotExist();
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> assertThat(entry.error())
                .isEqualTo(ErrorCode.WORKSPACE_UPLOAD_FAILED));
    }

    @Test
    void artifacts_are_stored_and_referenced() throws Exception {
        gate.with(EchoTool.safe((_, _) -> Output.text("see artifact")
                        .withArtifacts(
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
    void sent_secrets_are_masked_in_the_record_and_returned_unmasked() {
        gate.redactor = gate.redactor.withSecrets(Set.of("s3cr3t-value-of-ours"));
        gate.with(EchoTool.safe()).granting("echo");
        String text = "use s3cr3t-value-of-ours or ghp_" + "a".repeat(36);

        Answer answer = gate.send("echo", Map.of("text", text));

        assertThat(output(answer).text()).isEqualTo(text);
        assertThat(gate.audit.entries().toString())
                .doesNotContain("s3cr3t-value-of-ours")
                .doesNotContain("ghp_aaaa");
    }

    @Test
    void known_secrets_are_hidden_in_every_part_of_a_result() {
        String quoted = "pa\"ss\nword";
        gate.redactor = gate.redactor.withSecrets(Set.of(quoted, ":"));
        gate.with(EchoTool.safe((_, _) -> Output.of("x", new EchoTool.Result("it is " + quoted))
                        .with(Map.of("where", "at " + quoted, "exitCode", 3))))
                .granting("echo");

        Output output = output(gate.send("echo", Map.of("text", "hi")));

        assertThat(Json.MAPPER.writeValueAsString(output.structured())).isEqualTo("{\"said\":\"it is [redacted]\"}");
        assertThat(output.metadata()).isEqualTo(Map.of("where", "at [redacted]", "exitCode", 3));
    }

    @Test
    void a_confidential_result_is_returned_once_and_never_stored() {
        gate.with(new EchoTool(EchoTool.specification().confidential(), (_, _) -> Output.text("the planted value")))
                .granting("echo");
        Call call = Gate.call("echo", Map.of("text", "hi")).as(new RequestId("once"));

        assertThat(output(gate.send(call)).text()).isEqualTo("the planted value");
        assertThat(undecided(gate.send(call)).failure().code()).isEqualTo(ErrorCode.REQUEST_ID_TAKEN);
        assertThat(gate.audit.entries().toString()).doesNotContain("planted value");
        assertThat(gate.audit.intents()).hasSize(1);
    }

    @Test
    void known_secrets_are_hidden_in_the_details_of_a_failure() {
        gate.redactor = gate.redactor.withSecrets(Set.of("s3cr3t-value"));
        gate.with(EchoTool.safe((_, _) -> {
                    throw new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, "no", Map.of("key", "s3cr3t-value"));
                }))
                .granting("echo");

        assertThat(failure(gate.send("echo", Map.of("text", "hi"))).details()).containsEntry("key", "[redacted]");
    }

    @Test
    @SuppressWarnings("NullAway") // simulates a tool written without null checks
    void a_tool_that_returns_nothing_is_a_failure_on_record() {
        gate.with(EchoTool.safe((_, _) -> null)).granting("echo");

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(failure(answer).code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(answer.logged()).isTrue();
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void a_huge_name_or_field_is_not_repeated_completely() {
        gate.with(EchoTool.safe()).granting("echo");
        String huge = "x".repeat(1_000_000);

        assertThat(refusal(gate.send(huge, Map.of())).message()).hasSizeLessThan(10_000);
        assertThat(failure(gate.send("echo", Map.of("text", "hi", huge, 1))).message())
                .hasSizeLessThan(10_000);
        assertThat(gate.audit.entries().getFirst().tool()).hasSizeLessThan(1000);
    }
}
