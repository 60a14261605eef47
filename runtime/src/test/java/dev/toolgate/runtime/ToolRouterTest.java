package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.tool.ToolDefinition;
import dev.toolgate.runtime.upstream.HostUpstreams.Registration;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Dispatch of calls to tools. */
class ToolRouterTest extends WithOpenRuntime {
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
    void dispatch_executes_the_tool_and_echoes_the_ids() {
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
    void a_file_of_half_a_megabyte_is_returned_whole() throws IOException {
        String text = "line\n".repeat(100_000);
        Files.writeString(open.workspace.resolve("long.txt"), text);

        assertThat(open.call("readFile", Map.of("path", "long.txt")).outputText())
                .isEqualTo(text);
    }

    @Test
    void dispatch_of_a_tool_that_throws_is_tool_execution_failed() {
        open.runtime.router().register(new ThrowingTool());

        assertError(open.call("thrower", Map.of()), "TOOL_EXECUTION_FAILED", "failed unexpectedly");
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

    // Registry and scope.

    @Test
    void the_tools_are_listed_with_runtime_names_and_schemas() {
        List<ToolDefinition> tools = open.runtime.router().getAvailableTools();

        assertThat(tools)
                .extracting(ToolDefinition::toolName)
                .contains("ReadFile", "WriteFile", "DeleteFile", "RunCommand", "HttpRequest", "file_list");
        ToolDefinition run = tools.stream()
                .filter(tool -> tool.toolName().equals("RunCommand"))
                .findFirst()
                .orElseThrow();
        for (String name : List.of("ReadFile", "WriteFile", "DeleteFile")) {
            assertThat(tools.stream()
                            .filter(tool -> tool.toolName().equals(name))
                            .findFirst()
                            .orElseThrow()
                            .inputSchema()
                            .path("properties")
                            .path("path")
                            .path("description")
                            .asString())
                    .startsWith("Absolute file path to ")
                    .doesNotContain("relative");
        }
        assertThat(run.description()).isEqualTo("Execute a shell command and return stdout, stderr, and exit code");
        assertThat(run.inputSchema()
                        .path("properties")
                        .path("timeout")
                        .path("default")
                        .asInt())
                .isEqualTo(300);
    }

    @Test
    void a_tool_can_be_called_by_each_of_its_names() throws IOException {
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
    void a_name_in_use_cannot_be_registered_again() {
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
    void the_method_is_case_insensitive() {
        assertError(
                open.call("HttpRequest", Map.of("url", "http://127.0.0.1:1/", "method", "get")),
                "PERMISSION_DENIED",
                "loopback");
        assertError(
                open.call("HttpRequest", Map.of("url", "http://127.0.0.1:1/", "method", "fetch")),
                "INVALID_REQUEST",
                "method");
    }

    @Test
    void a_scope_limits_paths() throws IOException {
        Files.createDirectories(open.workspace.resolve("src"));
        Files.writeString(open.workspace.resolve("src/a.txt"), "in");
        Files.writeString(open.workspace.resolve("b.txt"), "out");
        ToolScope scope = new ToolScope(Map.of("file_read", new ToolPermission(true, List.of("src"), null)));

        assertThat(scoped("file_read", Map.of("path", "src/a.txt"), scope).outputText())
                .isEqualTo("in");
        assertError(scoped("file_read", Map.of("path", "b.txt"), scope), "CAPABILITY_DENIED", "b.txt");
    }

    @Test
    void registering_an_unreachable_mcp_server_fails() {
        UpstreamSettings nowhere =
                UpstreamSettings.of("docs", UpstreamEndpoint.Remote.of(URI.create("https://127.0.0.1:1/mcp")));

        Registration registration = open.runtime.router().registerMcp(nowhere);

        assertThat(registration).isInstanceOfSatisfying(Registration.Refused.class, refused -> assertThat(
                        refused.failure().message())
                .startsWith("MCP server 'docs' cannot be used: ")
                .contains("may not be reached"));
    }

    @Test
    void cyclic_arguments_are_refused() {
        Map<String, Object> endless = new HashMap<>();
        endless.put("path", endless);

        ToolResult result = open.runtime.router().execute(ToolRequest.of("file_read", endless));

        assertThat(Objects.requireNonNull(result.error()).code()).isEqualTo("INVALID_REQUEST");
    }

    private ToolResult scoped(String tool, Map<String, ?> arguments, ToolScope scope) {
        return open.runtime
                .router()
                .execute(ToolRequest.of(tool, arguments).scopedTo(scope), CallListener.NONE, new Cancellation());
    }
}
