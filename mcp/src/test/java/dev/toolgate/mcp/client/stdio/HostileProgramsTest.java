package dev.toolgate.mcp.client.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.ClientSettings;
import dev.toolgate.mcp.client.InputAnswer;
import dev.toolgate.mcp.client.InputHandler;
import dev.toolgate.mcp.client.McpClient;
import dev.toolgate.mcp.client.NotificationListener;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Misbehaving server programs: each causes one clear failure, uses bounded memory and does not affect other calls. */
class HostileProgramsTest {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
    private static final StdioTimeouts SHORT = new StdioTimeouts(
            Duration.ofMillis(400), Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final ClientSettings SETTINGS = ClientSettings.of(new Implementation("test", "1"))
            .withTimeouts(CallTimeout.of(Duration.ofSeconds(20)), Duration.ofSeconds(20));

    private static McpClient connect(StdioProcess process, ClientSettings settings) throws McpFailure {
        return connect(process, settings, TransportLimits.DEFAULT);
    }

    private static McpClient connect(StdioProcess process, ClientSettings settings, TransportLimits limits)
            throws McpFailure {
        return McpClient.connect(new StdioTransport(process, limits, SHORT), settings);
    }

    private static McpFailure failure(McpClient client, CallOptions options) {
        return catchThrowableOfType(McpFailure.class, () -> client.callTool("bad", NOTHING, options));
    }

    private static void assertStillWorks(McpClient client) throws McpFailure {
        assertThat(client.getPrompt("good", NOTHING, CallOptions.DEFAULT).has("messages"))
                .isTrue();
    }

    @Test
    void calls_are_answered_in_any_order() throws Exception {
        List<tools.jackson.databind.JsonNode> waiting = new ArrayList<>();
        PipedProcess process = PipedProcess.modern((message, self) -> {
            waiting.add(message);
            if (waiting.size() == 3) {
                for (var each : waiting.reversed()) {
                    self.result(each, "{\"name\":" + each.path("params").get("name") + "}");
                }
            }
        });
        try (McpClient client = connect(process, SETTINGS)) {
            List<CompletableFuture<String>> names = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                CompletableFuture<String> answer = new CompletableFuture<>();
                names.add(answer);
                Thread.startVirtualThread(() -> {
                    try {
                        answer.complete(client.callTool(name, NOTHING, CallOptions.DEFAULT)
                                .path("name")
                                .stringValue());
                    } catch (McpFailure failed) {
                        answer.completeExceptionally(failed);
                    }
                });
            }
            assertThat(names.stream().map(CompletableFuture::join)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void a_hanging_call_times_out_and_is_cancelled_by_notification() throws Exception {
        PipedProcess process = PipedProcess.modern((message, self) -> {});
        try (McpClient client = connect(process, SETTINGS)) {
            McpFailure failure =
                    failure(client, CallOptions.DEFAULT.withTimeout(CallTimeout.of(Duration.ofMillis(100))));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TIMEOUT);
            Awaitility.await().until(() -> process.received().stream()
                    .anyMatch(line -> line.contains("notifications/cancelled") && line.contains("requestId")));
            assertStillWorks(client);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'resultType':'input_required','inputRequests':{'q':{'method':'elicitation/create'}}}",
                "{'resultType':'task','taskId':'1','status':'input_required',"
                        + "'inputRequests':{'q':{'method':'elicitation/create'}}}"
            })
    void a_call_whose_program_ends_while_a_person_answers_may_have_run(String result) throws Exception {
        CountDownLatch disconnected = new CountDownLatch(1);
        InputHandler slow = request -> {
            disconnected.await();
            return new InputAnswer.Given(JsonNodeFactory.instance.objectNode().put("action", "accept"));
        };
        PipedProcess process = PipedProcess.modern((message, self) -> {
            self.result(message, result.replace('\'', '"'));
            throw new IOException("The program ends");
        });
        NotificationListener listener = new NotificationListener() {
            @Override
            public void notified(String method, @Nullable ObjectNode params) {}

            @Override
            public void disconnected(McpFailure why) {
                disconnected.countDown();
            }
        };
        try (McpClient client = connect(process, SETTINGS.withListener(listener))) {
            McpFailure failure = failure(client, CallOptions.DEFAULT.withInput(slow, ClientCapabilities.NONE));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
            assertThat(process.received())
                    .filteredOn(line -> line.contains("tools/call"))
                    .hasSize(1);
        }
    }

    @Test
    void a_call_in_progress_when_the_connection_is_closed_may_have_run() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CompletableFuture<McpFailure> failed = new CompletableFuture<>();
        PipedProcess process = PipedProcess.modern((message, self) -> called.countDown());
        McpClient client = connect(process, SETTINGS);
        Thread.startVirtualThread(() -> failed.complete(failure(client, CallOptions.DEFAULT)));
        called.await();
        client.close();
        assertThat(failed.get().kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
    }

    @Test
    void a_call_that_was_cancelled_before_is_not_sent() throws Exception {
        CallCancellation cancellation = new CallCancellation();
        cancellation.cancel("Enough.");
        PipedProcess process = PipedProcess.modern((message, self) -> {});
        try (McpClient client = connect(process, SETTINGS)) {
            McpFailure failure = failure(client, CallOptions.DEFAULT.withCancellation(cancellation));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CANCELLED);
            // Messages are read in their order, so the next call shows that nothing was sent before it.
            McpFailure next = failure(client, CallOptions.DEFAULT.withTimeout(CallTimeout.of(Duration.ofMillis(100))));
            assertThat(next.kind()).isEqualTo(McpFailureKind.TIMEOUT);
            Awaitility.await().until(() -> process.received().stream()
                    .anyMatch(line -> line.contains("\"method\":\"tools/call\"")));
            assertThat(process.received())
                    .filteredOn(line -> line.contains("\"method\":\"tools/call\""))
                    .hasSize(1);
            assertThat(process.received()).noneMatch(line -> line.contains("Enough."));
        }
    }

    @Test
    void a_call_is_cancelled_by_notification() throws Exception {
        CallCancellation cancellation = new CallCancellation();
        PipedProcess process = PipedProcess.modern((message, self) -> cancellation.cancel("Enough."));
        try (McpClient client = connect(process, SETTINGS)) {
            McpFailure failure = failure(client, CallOptions.DEFAULT.withCancellation(cancellation));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CANCELLED);
            Awaitility.await().until(() -> process.received().stream()
                    .anyMatch(line -> line.contains("notifications/cancelled") && line.contains("Enough.")));
        }
    }

    @Test
    void some_malformed_lines_between_messages_are_tolerated() throws Exception {
        PipedProcess process = PipedProcess.modern((message, self) -> {
            self.print("Listening on nothing\n\n\r\n{broken json\n[1,2]\n\u0000\n");
            self.result(message, "{\"content\":[]}");
        });
        try (McpClient client = connect(process, SETTINGS)) {
            assertThat(client.callTool("t", NOTHING, CallOptions.DEFAULT).has("content"))
                    .isTrue();
        }
    }

    @Test
    void too_many_malformed_lines_end_the_server_with_one_failure() throws Exception {
        CompletableFuture<McpFailure> ended = new CompletableFuture<>();
        PipedProcess process = PipedProcess.modern((message, self) -> {
            while (true) {
                self.print("Lorem ipsum dolor sit amet\n");
            }
        });
        try (McpClient client = connect(process, SETTINGS.withListener(onEnd(ended)))) {
            McpFailure failure = failure(client, CallOptions.DEFAULT);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.INVALID_ANSWER);
            assertThat(failure)
                    .hasMessageContaining("101 lines that are no messages")
                    .hasMessageContaining("Lorem");
            assertThat(ended.join().kind()).isEqualTo(McpFailureKind.INVALID_ANSWER);
            Awaitility.await().until(() -> process.signals().contains("KILL"));
        }
    }

    private static NotificationListener onEnd(CompletableFuture<McpFailure> ended) {
        return new NotificationListener() {
            @Override
            public void notified(String method, @Nullable ObjectNode params) {}

            @Override
            public void disconnected(McpFailure why) {
                ended.complete(why);
            }
        };
    }

    @Test
    void a_response_of_a_hundred_megabytes_fails_only_its_call() throws Exception {
        String megabyte = "x".repeat(1 << 20);
        PipedProcess process = PipedProcess.modern((message, self) -> {
            self.print("{\"jsonrpc\":\"2.0\",\"result\":{\"text\":\"");
            for (int i = 0; i < 100; i++) {
                self.print(megabyte);
            }
            self.print("\"},\"id\":" + message.get("id") + "}\n");
        });
        try (McpClient client = connect(process, SETTINGS)) {
            McpFailure failure = failure(client, CallOptions.DEFAULT);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            assertThat(failure).hasMessageContaining("10485760 bytes");
            assertStillWorks(client);
        }
    }

    @Test
    void an_endless_line_ends_the_server() throws Exception {
        TransportLimits small =
                new TransportLimits(RpcLimits.DEFAULT.withMaxBytes(100_000), 100_000, 100, 100_000, 1_000);
        String text = "y".repeat(50_000);
        PipedProcess process = PipedProcess.modern((message, self) -> {
            while (true) {
                self.print(text);
            }
        });
        try (McpClient client = connect(process, SETTINGS, small)) {
            McpFailure failure = failure(client, CallOptions.DEFAULT);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            assertThat(failure).hasMessageContaining("a line without end");
        }
    }

    @Test
    void unsolicited_responses_are_dropped() throws Exception {
        PipedProcess process = PipedProcess.modern((message, self) -> {
            self.print("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}\n");
            self.print("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":1,\"message\":\"m\"}}\n");
            self.result(message, "{\"right\":true}");
            self.result(message, "{\"right\":false}");
        });
        try (McpClient client = connect(process, SETTINGS)) {
            assertThat(client.callTool("t", NOTHING, CallOptions.DEFAULT)
                            .path("right")
                            .asBoolean())
                    .isTrue();
            assertStillWorks(client);
        }
    }

    @Test
    void a_malformed_response_fails_only_its_call() throws Exception {
        PipedProcess process = PipedProcess.modern((message, self) ->
                self.print("{\"jsonrpc\":\"2.0\",\"id\":" + message.get("id") + ",\"result\":\"no object\"}\n"));
        try (McpClient client = connect(process, SETTINGS)) {
            assertThat(failure(client, CallOptions.DEFAULT).kind()).isEqualTo(McpFailureKind.INVALID_ANSWER);
            assertStillWorks(client);
        }
    }

    @Test
    void a_server_that_ends_during_a_call_is_reported_with_its_stderr() throws Exception {
        PipedProcess process = PipedProcess.modern((message, self) -> {
            self.complain("Out of cheese\n");
            throw new IllegalStateException("It ends");
        });
        try (McpClient client = connect(process, SETTINGS)) {
            McpFailure failure = failure(client, CallOptions.DEFAULT);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
            assertThat(failure).hasMessageContaining("The server has ended").hasMessageContaining("Out of cheese");
            assertThat(failure(client, CallOptions.DEFAULT).kind()).isEqualTo(McpFailureKind.NOT_SENT);
        }
    }

    @Test
    void a_server_that_does_not_read_is_killed() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        PipedProcess process = PipedProcess.modern((message, self) -> never.await());
        ObjectNode large = JsonNodeFactory.instance.objectNode().put("text", "z".repeat(1 << 20));
        try (McpClient client = connect(process, SETTINGS)) {
            failure(client, CallOptions.DEFAULT.withTimeout(CallTimeout.of(Duration.ofMillis(50))));
            McpFailure failure =
                    catchThrowableOfType(McpFailure.class, () -> client.callTool("t", large, CallOptions.DEFAULT));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
            Awaitility.await().until(() -> process.signals().contains("KILL"));
        }
    }

    @Test
    void a_flood_of_notifications_does_not_stop_calls() throws Exception {
        PipedProcess process = PipedProcess.modern((message, self) -> {
            for (int i = 0; i < 20_000; i++) {
                self.print("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n");
                self.print("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                        + message.get("id") + ",\"progress\":" + i + "}}\n");
            }
            self.result(message, "{\"done\":true}");
        });
        CountDownLatch slow = new CountDownLatch(1);
        NotificationListener listener = (method, params) -> {
            try {
                slow.await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        };
        try (McpClient client = connect(process, SETTINGS.withListener(listener))) {
            CallOptions options = CallOptions.DEFAULT.withProgress(params -> {});
            assertThat(client.callTool("t", NOTHING, options).path("done").asBoolean())
                    .isTrue();
            slow.countDown();
        }
    }

    private static PipedProcess legacy(String capabilities) throws IOException {
        return new PipedProcess((message, self) -> {
            if (message.path("method").asString("").equals("initialize")) {
                self.result(
                        message,
                        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":" + capabilities
                                + ",\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
            }
        });
    }

    @Test
    void a_program_is_not_asked_for_log_messages() throws Exception {
        PipedProcess process = legacy("{\"logging\":{}}");
        ClientSettings settings = SETTINGS.withKnownEra(Era.LEGACY).withLogLevel(LogLevel.INFO);
        try (McpClient client = connect(process, settings)) {
            client.sendNotification("notifications/roots/list_changed", null);
            Awaitility.await().until(() -> process.received().getLast().contains("roots"));
            assertThat(process.received()).noneMatch(line -> line.contains("logging/setLevel"));
        }
    }

    @Test
    void a_legacy_server_that_does_not_answer_the_probe_is_initialized() throws Exception {
        PipedProcess process = legacy("{}");
        ClientSettings shortProbe = SETTINGS.withTimeouts(SETTINGS.timeout(), Duration.ofMillis(100));
        try (McpClient client = connect(process, shortProbe)) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            assertThat(client.server().version()).isEqualTo("2025-06-18");
        }
    }

    @Test
    void closing_tries_end_of_input_then_term_then_kill() throws Exception {
        PipedProcess obedient = PipedProcess.modern((message, self) -> {});
        connect(obedient, SETTINGS).close();
        assertThat(obedient.signals()).isEmpty();

        CountDownLatch never = new CountDownLatch(1);
        PipedProcess stubborn = PipedProcess.modern((message, self) -> never.await());
        try (McpClient client = connect(stubborn, SETTINGS)) {
            failure(client, CallOptions.DEFAULT.withTimeout(CallTimeout.of(Duration.ofMillis(50))));
        }
        assertThat(stubborn.signals()).containsExactly("TERM", "KILL");
    }
}
