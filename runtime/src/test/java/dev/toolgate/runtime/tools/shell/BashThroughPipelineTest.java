package dev.toolgate.runtime.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.approval.InMemoryApprovals;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.pipeline.Hold;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.pipeline.Run;
import dev.toolgate.core.pipeline.Seal;
import dev.toolgate.core.policy.InMemoryPolicies;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.runtime.HostGrants;
import dev.toolgate.runtime.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The bash tool through the whole pipeline. */
@Timeout(60)
class BashThroughPipelineTest extends WithBash {
    private Pipeline pipeline;

    @BeforeEach
    void build_the_pipeline() {
        ToolCatalog catalog = new ToolCatalog();
        catalog.add(bash.tool);
        InMemoryAuditLog log = new InMemoryAuditLog(100);
        Clock clock = Clock.systemUTC();
        GrantRule grants = new GrantRule(new HostGrants(catalog), clock);
        pipeline = new Pipeline(
                null,
                new Admit(new InMemoryPolicies(), Limits.NONE, clock),
                new Bind(catalog, Platform.current()::isAbsolute),
                new Decide(List.of(grants)),
                new Hold(new InMemoryApprovals(), Duration.ofSeconds(1)),
                new Run(grants, log, Redactor.standard(), clock),
                new Seal(log, new InMemoryArtifacts(), Redactor.standard(), Costs.NONE, 102_400),
                clock);
    }

    @AfterEach
    void nothing_is_left() {
        assertThat(bash.sandbox.nothingIsAlive()).isTrue();
        assertThat(bash.spool).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"bash", "RunCommand", "executeShellCommand"})
    void can_be_called_by_every_name(String name) {
        Output output = completed(call(name, "echo hello"));

        assertThat(output.text()).isEqualTo("Exit code: 0\n--- stdout ---\nhello\n--- stderr ---\n");
    }

    @ParameterizedTest
    @CsvSource({
        "{}, Missing required field: command",
        "{\"command\":\"\"}, Field 'command' must not be empty",
        "'{\"command\":\"true\",\"timeout\":0}', Field 'timeout' must be at least 1",
        "'{\"command\":\"true\",\"timeout\":601}', Field 'timeout' must be at most 600",
        "'{\"command\":\"true\",\"shell\":\"fish\"}', Unknown field 'shell'",
    })
    void wrong_arguments_are_named(String arguments, String complaint) {
        Failure failure = failed(Call.of(Caller.local(), "bash", (ObjectNode) Json.MAPPER.readTree(arguments)));

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.message()).startsWith(complaint);
    }

    @Test
    void only_the_runtime_name_requires_an_absolute_folder() throws IOException {
        Files.createDirectory(bash.workspace.resolve("sub"));
        Call relative = call("RunCommand", "pwd");
        relative.arguments().put("cwd", "sub");
        Call absolute = call("RunCommand", "pwd");
        absolute.arguments().put("cwd", bash.workspace.resolve("sub").toString());
        Call canonical = call("bash", "pwd");
        canonical.arguments().put("cwd", "sub");

        assertThat(failed(relative).message()).isEqualTo("Field 'cwd' must be an absolute path.");
        assertThat(completed(absolute).text()).contains("/sub\n");
        assertThat(completed(canonical).text()).contains("/sub\n");
    }

    @Test
    void the_bounds_end_the_command_and_its_output_is_shown() {
        Bounds seconds = new Bounds(null, null, Duration.ofSeconds(2), null, List.of(), null, null, List.of());

        Failure failure = failed(call("bash", "echo before; sleep 300").within(seconds));

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        assertThat(failure.message()).isEqualTo("Command timed out after 2 seconds");
        assertThat(Objects.requireNonNull(failure.partial()).text()).contains("before");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void cancelling_the_call_ends_the_command() throws InterruptedException {
        Cancellation cancellation = new Cancellation();
        Call call = call("bash", "touch started; sleep 300").followedBy(CallListener.NONE, cancellation);
        Thread canceller = Thread.ofVirtual().start(() -> {
            await().until(() -> Files.exists(bash.workspace.resolve("started")));
            cancellation.cancel();
        });

        assertThat(failed(call).message()).isEqualTo("The call was cancelled");
        canceller.join();
    }

    @Test
    void large_output_arrives_as_a_stored_artifact() {
        Output output = completed(call("bash", "seq 1 100000"));

        assertThat(output.artifacts()).hasSize(1);
        assertThat(output.artifacts().getFirst().uri()).startsWith("workspaces/local/artifacts/");
        assertThat(output.artifacts().getFirst().content().size()).isEqualTo(588_895);
        assertThat(output.text()).containsOnlyOnce("[... truncated");
    }

    private Output completed(Call call) {
        return ((Outcome.Completed) pipeline.execute(call).asOutcome()).output();
    }

    private Failure failed(Call call) {
        return ((Outcome.Failed) pipeline.execute(call).asOutcome()).failure();
    }

    private static Call call(String name, String command) {
        return Call.of(Caller.local(), name, Json.MAPPER.createObjectNode().put("command", command));
    }
}
