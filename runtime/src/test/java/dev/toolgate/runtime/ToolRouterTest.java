package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Param;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolDefinition;
import dev.toolgate.core.tool.ToolPermission;
import dev.toolgate.core.tool.ToolScope;
import dev.toolgate.core.tool.ToolSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ToolRouterTest {
    @TempDir
    private Path folder;

    private OpenRuntime open;

    @BeforeEach
    void openRuntime() throws IOException {
        open = new OpenRuntime(folder);
    }

    @AfterEach
    void closeRuntime() {
        open.close();
    }

    // The five cases of dispatch.

    @Test
    void dispatch_of_an_unknown_tool_is_tool_not_found() {
        assertError(open.call("NoSuchTool", Map.of()), "TOOL_NOT_FOUND", "Unknown tool: NoSuchTool");
    }

    @Test
    void dispatch_with_wrong_arguments_is_invalid_request_and_names_the_field() {
        assertError(open.call("ReadFile", Map.of()), "INVALID_REQUEST", "Missing required field: path.");
        assertError(
                open.call("ReadFile", Map.of("path", "relative.txt")),
                "INVALID_REQUEST",
                "Field 'path' must be an absolute path.");
    }

    @Test
    void dispatch_executes_the_tool_and_echoes_who_asked() {
        ToolRequest request = new ToolRequest(
                "sess_1",
                "task_1",
                "step_1",
                "WriteFile",
                Map.of("path", open.workspace.resolve("a.txt").toString(), "content", "hello"),
                Bounds.none(),
                null);

        ToolResult result = open.runtime.router().execute(request);

        assertThat(result.status()).isEqualTo(ToolResult.Status.SUCCEEDED);
        assertThat(List.of(result.toolName(), result.sessionId(), result.taskId(), result.stepId()))
                .containsExactly("WriteFile", "sess_1", "task_1", "step_1");
        assertThat(open.workspace.resolve("a.txt")).hasContent("hello");
    }

    @Test
    void dispatch_formats_the_output_within_its_limit() throws IOException {
        Files.writeString(open.workspace.resolve("long.txt"), "line\n".repeat(5_000));

        ToolResult result = open.call("file_read", Map.of("path", "long.txt"), Bounds.sizes(null, 500));

        assertThat(result.outputText()).hasSizeLessThanOrEqualTo(500).contains("truncated");
    }

    @Test
    void a_file_of_half_a_megabyte_comes_back_whole() throws IOException {
        String text = "line\n".repeat(100_000);
        Files.writeString(open.workspace.resolve("long.txt"), text);

        assertThat(open.call("readFile", Map.of("path", "long.txt")).outputText())
                .isEqualTo(text);
    }

    @Test
    void dispatch_of_a_tool_that_throws_is_tool_execution_failed() {
        open.runtime.router().register(new ThrowingTool());

        assertError(open.call("thrower", Map.of()), "TOOL_EXECUTION_FAILED", "broke unexpectedly");
    }

    // Every error code of the runtime, through the router.

    @Test
    void a_missing_file_is_file_not_found() {
        assertError(open.call("file_read", Map.of("path", "none.txt")), "FILE_NOT_FOUND", "not found");
        assertError(open.call("file_delete", Map.of("path", "none.txt")), "FILE_NOT_FOUND", "not found");
    }

    @Test
    void a_file_over_the_policy_limit_is_file_too_large() throws IOException {
        Files.writeString(open.workspace.resolve("big.txt"), "x".repeat(101));

        assertError(
                open.call("file_read", Map.of("path", "big.txt"), Bounds.sizes(100L, null)), "FILE_TOO_LARGE", "101");
    }

    @Test
    void a_path_outside_the_workspace_is_permission_denied() {
        assertError(open.call("file_read", Map.of("path", "/etc/passwd")), "PERMISSION_DENIED", "outside");
    }

    @Test
    void a_command_that_takes_too_long_is_tool_execution_timeout() {
        assertError(
                open.call("bash", Map.of("command", "echo begun; sleep 300", "timeout", 1)),
                "TOOL_EXECUTION_TIMEOUT",
                "timed out after 1 seconds");
    }

    @Test
    void a_command_that_fails_is_tool_execution_failed_and_keeps_its_output() {
        ToolResult result = open.call("RunCommand", Map.of("command", "echo out; echo err >&2; exit 42"));

        assertError(result, "TOOL_EXECUTION_FAILED", "Exit code: 42");
        assertThat(result.outputText()).contains("out").contains("err");
        assertThat(result.metadata()).containsEntry("exitCode", 42);
    }

    // Registry and scope.

    @Test
    void the_tools_are_listed_under_the_names_of_this_door_with_their_schemas() {
        List<ToolDefinition> tools = open.runtime.router().getAvailableTools();

        assertThat(tools)
                .extracting(ToolDefinition::toolName)
                .contains("ReadFile", "WriteFile", "DeleteFile", "RunCommand", "HttpRequest", "file_list");
        ToolDefinition run = tools.stream()
                .filter(tool -> tool.toolName().equals("RunCommand"))
                .findFirst()
                .orElseThrow();
        assertThat(run.description()).isEqualTo("Execute a shell command and return stdout, stderr, and exit code");
        assertThat(run.inputSchema()
                        .path("properties")
                        .path("timeout")
                        .path("default")
                        .asInt())
                .isEqualTo(300);
    }

    @Test
    void every_name_of_a_tool_reaches_it() throws IOException {
        Files.writeString(open.workspace.resolve("a.txt"), "hello");

        for (String name : List.of("file_read", "readFile")) {
            assertThat(open.call(name, Map.of("path", "a.txt")).outputText()).isEqualTo("hello");
        }
        for (String name : List.of("bash", "RunCommand", "executeShellCommand")) {
            assertThat(open.call(name, Map.of("command", "echo hi")).outputText())
                    .contains("hi");
        }
    }

    @Test
    void a_name_that_is_taken_cannot_be_registered_again() {
        assertThatThrownBy(() -> open.runtime.router().register(new ThrowingTool("bash")))
                .hasMessageContaining("already registered");
    }

    @Test
    void ac_10_an_empty_scope_leaves_the_safe_defaults_and_denies_the_rest() throws IOException {
        Files.writeString(open.workspace.resolve("a.txt"), "hello");
        ToolScope nothing = new ToolScope(Map.of());

        assertThat(open.runtime.router().getAvailableTools(nothing))
                .extracting(ToolDefinition::toolName)
                .containsExactly("ReadFile");
        assertThat(scoped("file_read", Map.of("path", "a.txt"), nothing).status())
                .isEqualTo(ToolResult.Status.SUCCEEDED);
        ToolResult denied = scoped("file_write", Map.of("path", "b.txt", "content", "x"), nothing);
        assertThat(denied.status()).isEqualTo(ToolResult.Status.DENIED);
        assertThat(open.workspace.resolve("b.txt")).doesNotExist();
    }

    @Test
    void a_scope_limits_paths() throws IOException {
        Files.createDirectories(open.workspace.resolve("src"));
        Files.writeString(open.workspace.resolve("src/a.txt"), "in");
        Files.writeString(open.workspace.resolve("b.txt"), "out");
        ToolScope scope = new ToolScope(Map.of("file_read", new ToolPermission(true, List.of("src"), null)));

        assertThat(scoped("file_read", Map.of("path", "src/a.txt"), scope).outputText())
                .isEqualTo("in");
        assertError(scoped("file_read", Map.of("path", "b.txt"), scope), "PERMISSION_DENIED", "b.txt");
    }

    @Test
    void ac_11_registering_an_mcp_server_returns_an_error() {
        assertThat(open.runtime.router().registerMcp("server").message()).contains("not implemented");
    }

    // The door itself.

    @Test
    void a_result_written_as_json_has_no_additional_property() {
        JsonNode json = Json.MAPPER.valueToTree(open.call("bash", Map.of("command", "echo hi; exit 3")));

        assertThat(json.propertyNames())
                .containsExactlyInAnyOrder(
                        "toolName", "sessionId", "taskId", "stepId", "status", "outputText", "error");
        assertThat(json.path("status").asString()).isEqualTo("failed");
        assertThat(json.path("error").propertyNames()).containsExactlyInAnyOrder("code", "message");
    }

    @Test
    void long_output_of_a_command_is_an_artifact_with_a_uri() throws IOException {
        ToolResult result = open.call("bash", Map.of("command", "seq 1 5000"));

        assertThat(result.artifactUris()).singleElement().asString().startsWith("workspaces/local/artifacts/");
        assertThat(result.artifacts().getFirst().content().open())
                .hasContent(String.join(
                                "\n",
                                IntStream.rangeClosed(1, 5000)
                                        .mapToObj(Integer::toString)
                                        .toList()) + "\n");
    }

    @Test
    void output_streams_while_the_command_runs() {
        StringBuilder heard = new StringBuilder();

        open.runtime
                .router()
                .execute(
                        ToolRequest.of("bash", Map.of("command", "echo one; echo two >&2")),
                        chunk -> {
                            synchronized (heard) {
                                heard.append(chunk.text());
                            }
                        },
                        new Cancellation());

        assertThat(heard.toString()).contains("one\n").contains("two\n");
    }

    @Test
    void cancelling_ends_the_call() throws Exception {
        Cancellation cancellation = new Cancellation();
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        Thread.startVirtualThread(() -> result.complete(open.runtime
                .router()
                .execute(
                        ToolRequest.of("bash", Map.of("command", "echo begun; sleep 300")),
                        _ -> begun.countDown(),
                        cancellation)));
        begun.await();
        cancellation.cancel();

        assertError(result.get(), "TOOL_EXECUTION_FAILED", "cancelled");
    }

    @Test
    void many_calls_at_once_and_new_tools_meanwhile_do_not_disturb_each_other() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ToolResult>> calls = IntStream.range(0, 200)
                    .mapToObj(number -> threads.submit(() -> {
                        if (number % 10 == 0) {
                            open.runtime.router().register(new ThrowingTool("extra_" + number));
                        }
                        return open.call("file_write", Map.of("path", "f" + number + ".txt", "content", "n" + number));
                    }))
                    .toList();
            for (Future<ToolResult> call : calls) {
                assertThat(call.get().status()).isEqualTo(ToolResult.Status.SUCCEEDED);
            }
        }
        for (int number = 0; number < 200; number++) {
            assertThat(open.workspace.resolve("f" + number + ".txt")).hasContent("n" + number);
        }
    }

    @Test
    void every_call_is_on_record_without_its_secrets() {
        open.call("bash", Map.of("command", "curl -H 'Authorization: Bearer abcdefghijkl' x; true"));
        open.call("nope", Map.of());

        assertThat(open.runtime.audit().entries()).hasSize(2);
        assertThat(open.runtime.audit().entries().toString()).doesNotContain("abcdefghijkl");
    }

    @Test
    void the_files_a_session_changed_can_be_shown_as_one_patch() throws Exception {
        open.call("file_write", Map.of("path", "a.txt", "content", "one\n"));
        open.call("file_write", Map.of("path", "a.txt", "content", "two\n"));

        assertThat(open.runtime.writes().patch(Caller.local().tenant(), null))
                .contains("+two")
                .doesNotContain("one");
    }

    private ToolResult scoped(String tool, Map<String, ?> arguments, ToolScope scope) {
        return open.runtime
                .router()
                .execute(ToolRequest.of(tool, arguments).scopedTo(scope), CallListener.NOBODY, new Cancellation());
    }

    private static void assertError(ToolResult result, String code, String message) {
        assertThat(result.status()).isNotEqualTo(ToolResult.Status.SUCCEEDED);
        ToolResult.Problem problem = Objects.requireNonNull(result.error());
        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.message()).contains(message);
    }

    private record ThrowingTool(String name) implements Tool<ThrowingTool.Nothing> {
        record Nothing(@Param("Nothing") @Nullable String nothing) {}

        ThrowingTool() {
            this("thrower");
        }

        @Override
        public ToolSpec<Nothing> spec() {
            return ToolSpec.of(name, Nothing.class, Category.EXEC, "Throw.Always", "Throws");
        }

        @Override
        public Output call(Nothing arguments, ToolContext context) {
            throw new IllegalStateException("always");
        }
    }

    @Test
    void arguments_that_contain_themselves_are_refused() {
        Map<String, Object> endless = new HashMap<>();
        endless.put("path", endless);

        ToolResult result = open.runtime.router().execute(ToolRequest.of("file_read", endless));

        assertThat(Objects.requireNonNull(result.error()).code()).isEqualTo("INVALID_REQUEST");
    }
}
