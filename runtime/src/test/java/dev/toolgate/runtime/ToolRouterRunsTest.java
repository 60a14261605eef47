package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Running calls and their results. */
class ToolRouterRunsTest extends WithOpenRuntime {
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

    // The JSON form of results.

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
        Path goOn = open.workspace.resolve("go-on");

        // The command ends only when both lines have arrived.
        ToolResult result = open.runtime
                .router()
                .execute(
                        ToolRequest.of(
                                "bash",
                                Map.of("command", "echo one; echo two >&2; until [ -e go-on ]; do sleep 0.05; done")),
                        chunk -> {
                            synchronized (heard) {
                                heard.append(chunk.text());
                                if (heard.indexOf("one\n") >= 0 && heard.indexOf("two\n") >= 0) {
                                    create(goOn);
                                }
                            }
                        },
                        new Cancellation());

        assertThat(goOn).exists();
        assertThat(result.status()).isEqualTo(ToolResult.Status.SUCCEEDED);
    }

    private static void create(Path file) {
        try {
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
    void concurrent_calls_and_registrations_do_not_interfere() throws Exception {
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
    void every_call_is_recorded_without_secrets() {
        open.call("bash", Map.of("command", "curl -H 'Authorization: Bearer abcdefghijkl' x; true"));
        open.call("nope", Map.of());

        assertThat(open.runtime.audit().entries()).hasSize(2);
        assertThat(open.runtime.audit().entries().toString()).doesNotContain("abcdefghijkl");
    }

    @Test
    void the_changes_of_a_session_are_available_as_one_patch() throws Exception {
        open.call("file_write", Map.of("path", "a.txt", "content", "one\n"));
        open.call("file_write", Map.of("path", "a.txt", "content", "two\n"));

        assertThat(open.runtime.writes().patch(Caller.local().tenant(), new SessionId("local")))
                .contains("+two")
                .doesNotContain("one");
    }

    @Test
    void changes_are_kept_per_session() throws Exception {
        write("first", "a.txt", "of the first\n");
        write("second", "b.txt", "of the second\n");

        assertThat(open.runtime.writes().patch(Caller.local().tenant(), new SessionId("first")))
                .contains("+of the first")
                .doesNotContain("b.txt");
        assertThat(open.runtime.writes().files(Caller.local().tenant(), new SessionId("second")))
                .containsExactly(open.workspace.resolve("b.txt"));
        assertThat(open.runtime.audit().entries().toString()).contains("first", "second");
        assertError(write("", "c.txt", "x"), "INVALID_REQUEST", "sessionId");
    }

    private ToolResult write(String session, String path, String content) {
        return open.runtime
                .router()
                .execute(new ToolRequest(
                        session,
                        "task",
                        "step",
                        "file_write",
                        Map.of("path", path, "content", content),
                        Bounds.none(),
                        null));
    }
}
