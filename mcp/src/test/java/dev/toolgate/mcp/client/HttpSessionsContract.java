package dev.toolgate.mcp.client;

import static dev.toolgate.mcp.client.ScriptedMcpServer.response;
import static dev.toolgate.mcp.client.ScriptedMcpServer.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Eras, sessions, resumed streams, timeouts and cancellation over HTTP, as the server sees them. */
public abstract class HttpSessionsContract {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
    private static final ClientSettings SETTINGS = ClientSettings.of(new Implementation("test", "1"))
            .withTimeouts(CallTimeout.of(Duration.ofSeconds(30)), Duration.ofSeconds(30));

    private final HttpExchanger exchanger;

    protected HttpSessionsContract(HttpExchanger exchanger) {
        this.exchanger = exchanger;
    }

    @AfterEach
    void closeExchanger() {
        exchanger.close();
    }

    private static void refuse(OutputStream out, int status, String body) throws IOException {
        RawHttpServer.answer(out, status, "application/json", body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 {\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}",
                "200 {\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": -32602, \"message\": \"x\"}}",
                "200 rubbish",
                "400 {\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -32000, \"message\": \"No session\"}}",
                "400 ",
                "404 Not found",
                "405 ",
                "500 oops"
            })
    void every_other_response_to_the_probe_means_the_legacy_era(String answer) throws Exception {
        int status = Integer.parseInt(answer.substring(0, 3));
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)
                        .on("server/discover", (message, out) -> refuse(out, status, answer.substring(4)));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            assertThat(client.server().version()).isEqualTo("2025-11-25");
            assertThat(server.requests("notifications/initialized")).hasSize(1);
        }
    }

    @Test
    void a_server_with_only_unknown_revisions_is_not_initialized() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)
                .on(
                        "server/discover",
                        (message, out) -> refuse(
                                out,
                                400,
                                "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id")
                                        + ", \"error\": {\"code\": -32022,"
                                        + " \"message\": \"x\", \"data\": {\"supported\": [\"2030-01-01\"]}}}"))) {
            McpFailure failure = catchThrowableOfType(McpFailure.class, () -> server.connect(exchanger, SETTINGS));
            assertThat(failure).hasMessageContaining("none of the revisions");
            assertThat(server.requests("initialize")).isEmpty();
        }
    }

    @Test
    void a_known_legacy_server_is_not_probed() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY);
                McpClient client = server.connect(exchanger, SETTINGS.withKnownEra(Era.LEGACY))) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            assertThat(server.requests("server/discover")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "404 ",
                "404 {\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -32001, \"message\": \"Session not found\"}}",
                "400 {\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -32000, \"message\": \"No valid session\"}}"
            })
    void a_lost_session_is_restarted_once(String refusal) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        int status = Integer.parseInt(refusal.substring(0, 3));
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY).on("tools/call", (message, out) -> {
                    if (calls.incrementAndGet() == 1) {
                        refuse(out, status, refusal.substring(4));
                    } else {
                        result(message, out, "{\"content\": []}");
                    }
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            assertThat(client.callTool("t", NOTHING, CallOptions.DEFAULT).has("content"))
                    .isTrue();
            assertThat(server.requests("initialize")).hasSize(2);
            List<RawHttpServer.Request> sent = server.requests("tools/call");
            assertThat(sent)
                    .extracting(each -> each.headers().get("mcp-session-id"))
                    .containsExactly("session-1", "session-2");
        }
    }

    @Test
    void a_session_that_a_call_restarts_is_reported_once() throws Exception {
        AtomicInteger restarts = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.onRequest("tools/call", (request, message, out) -> {
                if ("session-1".equals(request.headers().get("mcp-session-id"))) {
                    refuse(out, 404, "");
                } else {
                    result(message, out, "{\"content\": []}");
                }
            });
            try (McpClient client =
                    server.connect(exchanger, SETTINGS.withListener(onRestart(restarts::incrementAndGet)))) {
                client.callTool("t", NOTHING, CallOptions.DEFAULT);
                client.callTool("t", NOTHING, CallOptions.DEFAULT);
                Awaitility.await().untilAsserted(() -> assertThat(restarts).hasValue(1));
            }
        }
    }

    private static NotificationListener onRestart(Runnable restarted) {
        return new NotificationListener() {
            @Override
            public void notified(String method, @Nullable ObjectNode params) {}

            @Override
            public void sessionRestarted() {
                restarted.run();
            }
        };
    }

    @Test
    void the_log_level_is_set_in_every_session() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.on("initialize", (message, out) -> server.initialize(message, out, "{\"logging\": {}}"));
            server.onRequest("tools/call", (request, message, out) -> {
                if ("session-1".equals(request.headers().get("mcp-session-id"))) {
                    refuse(out, 404, "");
                } else {
                    result(message, out, "{\"content\": []}");
                }
            });
            try (McpClient client = server.connect(exchanger, SETTINGS.withLogLevel(LogLevel.INFO))) {
                // The server refuses the log level, as some do.
                client.callTool("t", NOTHING, CallOptions.DEFAULT);
                assertThat(server.requests())
                        .filteredOn(request -> request.body().contains("tools/call")
                                || request.body().contains("logging/setLevel"))
                        .extracting(request -> request.headers().get("mcp-session-id")
                                + (request.body().contains("\"level\":\"info\"") ? " level" : " call"))
                        .containsExactly("session-1 level", "session-1 call", "session-2 level", "session-2 call");
            }
        }
    }

    @Test
    void a_server_without_logging_is_not_sent_a_log_level() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY);
                McpClient client = server.connect(exchanger, SETTINGS.withLogLevel(LogLevel.INFO))) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            assertThat(server.requests("logging/setLevel")).isEmpty();
        }
    }

    @Test
    void a_session_that_is_lost_again_fails_the_call() throws Exception {
        try (ScriptedMcpServer server =
                        new ScriptedMcpServer(Era.LEGACY).on("tools/call", (message, out) -> refuse(out, 404, ""));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure =
                    catchThrowableOfType(McpFailure.class, () -> client.callTool("t", NOTHING, CallOptions.DEFAULT));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.SESSION_LOST);
            assertThat(server.requests("tools/call")).hasSize(2);
            assertThat(server.requests("initialize")).hasSize(2);
        }
    }

    @Test
    void calls_that_lose_their_session_together_all_succeed_in_the_next() throws Exception {
        int calls = 8;
        CountDownLatch held = new CountDownLatch(calls);
        CountDownLatch lateRefused = new CountDownLatch(calls - 1);
        AtomicInteger initialized = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.onRequest("tools/call", (request, message, out) -> {
                if ("session-2".equals(request.headers().get("mcp-session-id"))) {
                    result(message, out, "{\"content\": []}");
                    return;
                }
                held.countDown();
                held.await();
                if (message.path("params").path("name").asString("").equals("first")) {
                    refuse(out, 404, "");
                } else {
                    // Refused while the session of the first is being restarted.
                    Awaitility.await().until(() -> initialized.get() == 2);
                    refuse(out, 404, "");
                    out.flush();
                    lateRefused.countDown();
                }
            });
            server.onRequest("initialize", (request, message, out) -> {
                if (initialized.incrementAndGet() == 2) {
                    lateRefused.await();
                }
                server.initialize(message, out);
            });
            try (McpClient client = server.connect(exchanger, SETTINGS)) {
                List<CompletableFuture<ObjectNode>> results = new ArrayList<>();
                for (int i = 0; i < calls; i++) {
                    results.add(inBackground(client, i == 0 ? "first" : "late"));
                }
                assertThat(results).allSatisfy(result -> assertThat(result.get().has("content"))
                        .isTrue());
                assertThat(server.requests("initialize")).hasSize(2).allSatisfy(request -> assertThat(request.headers())
                        .doesNotContainKey("mcp-session-id"));
            }
        }
    }

    private static CompletableFuture<ObjectNode> inBackground(McpClient client, String tool) {
        CompletableFuture<ObjectNode> result = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                result.complete(client.callTool(tool, NOTHING, CallOptions.DEFAULT));
            } catch (McpFailure | RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    @Test
    void a_session_that_could_not_be_restarted_is_restarted_by_the_next_call() throws Exception {
        AtomicInteger initialized = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.onRequest("tools/call", (request, message, out) -> {
                if ("session-2".equals(request.headers().get("mcp-session-id"))) {
                    result(message, out, "{\"content\": []}");
                } else {
                    refuse(out, request.headers().containsKey("mcp-session-id") ? 404 : 400, "");
                }
            });
            server.onRequest("initialize", (request, message, out) -> {
                if (initialized.incrementAndGet() == 2) {
                    refuse(out, 503, "");
                } else {
                    server.initialize(message, out);
                }
            });
            try (McpClient client = server.connect(exchanger, SETTINGS)) {
                McpFailure failure = catchThrowableOfType(
                        McpFailure.class, () -> client.callTool("t", NOTHING, CallOptions.DEFAULT));
                assertThat(failure.kind()).isEqualTo(McpFailureKind.SESSION_LOST);
                assertThat(failure).hasMessageContaining("503");
                assertThat(client.callTool("t", NOTHING, CallOptions.DEFAULT).has("content"))
                        .isTrue();
            }
        }
    }

    @Test
    void a_session_that_could_not_be_set_up_is_not_used() throws Exception {
        AtomicInteger initialized = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            // A lenient server runs tools in a session that was not set up completely.
            server.onRequest("tools/call", (request, message, out) -> {
                if ("session-1".equals(request.headers().get("mcp-session-id"))) {
                    refuse(out, 404, "");
                } else {
                    result(message, out, "{\"content\": []}");
                }
            });
            server.on(
                    "notifications/initialized",
                    (message, out) -> RawHttpServer.answer(
                            out, initialized.incrementAndGet() == 2 ? 503 : 202, "text/plain", ""));
            try (McpClient client = server.connect(exchanger, SETTINGS)) {
                McpFailure failure = catchThrowableOfType(
                        McpFailure.class, () -> client.callTool("t", NOTHING, CallOptions.DEFAULT));
                assertThat(failure.kind()).isEqualTo(McpFailureKind.SESSION_LOST);
                assertThat(client.callTool("t", NOTHING, CallOptions.DEFAULT).has("content"))
                        .isTrue();
                assertThat(server.requests("tools/call"))
                        .extracting(request -> request.headers().get("mcp-session-id"))
                        .containsExactly("session-1", "session-3");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_that_was_cancelled_before_is_not_sent(Era era) throws Exception {
        CallCancellation cancellation = new CallCancellation();
        cancellation.cancel("Enough.");
        try (ScriptedMcpServer server = new ScriptedMcpServer(era);
                McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class,
                    () -> client.callTool("t", NOTHING, CallOptions.DEFAULT.withCancellation(cancellation)));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CANCELLED);
            assertThat(server.requests("tools/call")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_in_progress_when_the_connection_is_closed_may_have_run(Era era) throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedMcpServer server = new ScriptedMcpServer(era).on("tools/call", (message, out) -> {
            called.countDown();
            over.await();
        })) {
            McpClient client = server.connect(exchanger, SETTINGS);
            CompletableFuture<ObjectNode> result = inBackground(client, "t");
            called.await();
            client.close();
            assertThat(result)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(McpFailure.class, failure -> assertThat(failure.kind())
                            .isEqualTo(McpFailureKind.CONNECTION_LOST));
            over.countDown();
        }
    }

    @Test
    void closing_ends_the_session() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)
                .on("DELETE", (message, out) -> RawHttpServer.answer(out, 200, "text/plain", ""))) {
            server.connect(exchanger, SETTINGS).close();
            assertThat(server.requests())
                    .filteredOn(request -> request.method().equals("DELETE"))
                    .singleElement()
                    .satisfies(request -> assertThat(request.headers()).containsEntry("mcp-session-id", "session-1"));
        }
    }

    @Test
    void a_broken_stream_of_a_legacy_server_is_resumed_not_resent() throws Exception {
        AtomicInteger gets = new AtomicInteger();
        List<JsonNode> asked = new CopyOnWriteArrayList<>();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)
                        .on("tools/call", (message, out) -> {
                            asked.add(message);
                            RawHttpServer.answer(out, 200, "text/event-stream", "id: e1\nretry: 10\ndata:\n\n");
                        })
                        .on("GET", (message, out) -> {
                            if (asked.isEmpty()) {
                                RawHttpServer.answer(out, 405, "text/plain", "");
                            } else {
                                gets.incrementAndGet();
                                RawHttpServer.answer(
                                        out,
                                        200,
                                        "text/event-stream",
                                        "id: e2\ndata: " + response(asked.getFirst(), "{\"late\": true}") + "\n\n");
                            }
                        });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            assertThat(client.callTool("t", NOTHING, CallOptions.DEFAULT)
                            .path("late")
                            .asBoolean())
                    .isTrue();
            assertThat(server.requests("tools/call")).hasSize(1);
            assertThat(server.requests())
                    .filteredOn(request -> request.headers().containsKey("last-event-id"))
                    .singleElement()
                    .satisfies(request -> assertThat(request.headers()).containsEntry("last-event-id", "e1"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"404", "401", "400", "unreachable"})
    void a_call_whose_stream_cannot_be_resumed_is_not_sent_again(String refusal) throws Exception {
        AtomicBoolean accepted = new AtomicBoolean();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.on("tools/call", (message, out) -> {
                accepted.set(true);
                RawHttpServer.open(out, "text/event-stream");
                out.write("id: e1\nretry: 10\ndata:\n\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
                if (refusal.equals("unreachable")) {
                    stop(server);
                }
                throw new IOException("The server restarts");
            });
            server.on(
                    "GET",
                    (message, out) -> refuse(
                            out,
                            accepted.get() ? Integer.parseInt(refusal) : 405,
                            "{\"jsonrpc\": \"2.0\", \"id\": null,"
                                    + " \"error\": {\"code\": -32020, \"message\": \"No session\"}}"));
            try (McpClient client = server.connect(exchanger, SETTINGS)) {
                McpFailure failure = catchThrowableOfType(
                        McpFailure.class, () -> client.callTool("t", NOTHING, CallOptions.DEFAULT));
                assertThat(failure.kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
                assertThat(server.requests("tools/call")).hasSize(1);
            }
        }
    }

    private static void stop(ScriptedMcpServer server) throws IOException {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_cancelled_call_closes_its_stream(Era era) throws Exception {
        CallCancellation cancellation = new CallCancellation();
        CountDownLatch closed = new CountDownLatch(1);
        try (ScriptedMcpServer server = new ScriptedMcpServer(era).on("tools/call", (message, out) -> {
                    RawHttpServer.open(out, "text/event-stream");
                    cancellation.cancel("Enough.");
                    try {
                        while (true) {
                            out.write(": alive\n\n".getBytes(StandardCharsets.UTF_8));
                            out.flush();
                        }
                    } finally {
                        closed.countDown();
                    }
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class,
                    () -> client.callTool("t", NOTHING, CallOptions.DEFAULT.withCancellation(cancellation)));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CANCELLED);
            closed.await();
            if (era == Era.LEGACY) {
                Awaitility.await().untilAsserted(() -> assertThat(server.requests("notifications/cancelled"))
                        .singleElement()
                        .satisfies(request -> assertThat(request.body()).contains("Enough.", "\"requestId\"")));
            } else {
                assertThat(server.requests("notifications/cancelled")).isEmpty();
            }
        }
    }

    @Test
    void an_interrupted_virtual_thread_cancels_its_call() throws Exception {
        CompletableFuture<Thread> caller = new CompletableFuture<>();
        CompletableFuture<McpFailure> failed = new CompletableFuture<>();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
                    caller.join().interrupt();
                    new CountDownLatch(1).await();
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            caller.complete(Thread.startVirtualThread(() -> failed.complete(
                    catchThrowableOfType(McpFailure.class, () -> client.callTool("t", NOTHING, CallOptions.DEFAULT)))));
            assertThat(failed.join().kind()).isEqualTo(McpFailureKind.CANCELLED);
        }
    }

    @Test
    void progress_extends_the_timeout_up_to_the_maximum() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
                    RawHttpServer.open(out, "text/event-stream");
                    while (true) {
                        RawHttpServer.event(
                                out,
                                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/progress\", \"params\":"
                                        + " {\"progressToken\": " + message.get("id") + ", \"progress\": "
                                        + steps.incrementAndGet() + "}}");
                        new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
                    }
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            AtomicInteger heard = new AtomicInteger();
            CallOptions options = CallOptions.DEFAULT
                    .withTimeout(new CallTimeout(Duration.ofSeconds(1), Duration.ofSeconds(2)))
                    .withProgress(params -> heard.incrementAndGet());
            long started = System.nanoTime();
            McpFailure failure = catchThrowableOfType(McpFailure.class, () -> client.callTool("t", NOTHING, options));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(1_990));
            assertThat(heard.get()).isGreaterThan(5);
        }
    }

    @Test
    void requests_of_the_server_get_a_result_or_an_error() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY).on("tools/call", (message, out) -> {
                    RawHttpServer.open(out, "text/event-stream");
                    RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"id\": \"p\", \"method\": \"ping\"}");
                    RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"id\": \"r\", \"method\": \"roots/list\"}");
                    RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"id\": \"u\", \"method\": \"unknown/one\"}");
                    RawHttpServer.event(out, response(message, "{\"content\": []}"));
                    throw new IOException("The end");
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            client.callTool("t", NOTHING, CallOptions.DEFAULT);
            Awaitility.await().untilAsserted(() -> assertThat(server.requests())
                    .extracting(RawHttpServer.Request::body)
                    .anyMatch(body -> body.contains("\"id\":\"p\",\"result\":{}"))
                    .anyMatch(body -> body.contains("\"id\":\"r\",\"error\":{\"code\":-32601"))
                    .anyMatch(body -> body.contains("\"id\":\"u\",\"error\":{\"code\":-32601")));
        }
    }

    @Test
    void notifications_on_the_server_stream_reach_the_listener() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY).on("GET", (message, out) -> {
                    RawHttpServer.open(out, "text/event-stream");
                    RawHttpServer.event(
                            out, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}");
                    new CountDownLatch(1).await();
                });
                McpClient client =
                        server.connect(exchanger, SETTINGS.withListener((method, params) -> heard.countDown()))) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            heard.await();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 502, 503})
    void a_refused_server_stream_is_opened_again(int status) throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        AtomicInteger gets = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY).on("GET", (message, out) -> {
                    if (gets.incrementAndGet() <= 2) {
                        refuse(out, status, "");
                        return;
                    }
                    RawHttpServer.open(out, "text/event-stream");
                    RawHttpServer.event(
                            out, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}");
                    new CountDownLatch(1).await();
                });
                McpClient client =
                        server.connect(exchanger, SETTINGS.withListener((method, params) -> heard.countDown()))) {
            assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            assertThat(server.requests("initialize")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void a_server_stream_that_needs_other_credentials_is_not_opened_soon(int status) throws Exception {
        CountDownLatch refused = new CountDownLatch(1);
        AtomicInteger gets = new AtomicInteger();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY).on("GET", (message, out) -> {
                    gets.incrementAndGet();
                    refuse(out, status, "");
                    refused.countDown();
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            refused.await();
            // Other refusals are tried again after one second.
            Awaitility.await().during(Duration.ofSeconds(2)).until(() -> gets.get() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "404 ",
                "400 {\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -32000, \"message\": \"No valid session\"}}"
            })
    void a_session_whose_stream_is_lost_is_restarted_without_a_call(String refusal) throws Exception {
        int status = Integer.parseInt(refusal.substring(0, 3));
        AtomicBoolean restarted = new AtomicBoolean();
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch heard = new CountDownLatch(1);
        NotificationListener listener = new NotificationListener() {
            @Override
            public void notified(String method, @Nullable ObjectNode params) {
                heard.countDown();
            }

            @Override
            public void sessionRestarted() {
                told.countDown();
            }
        };
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.onRequest("GET", (request, message, out) -> {
                if ("session-2".equals(request.headers().get("mcp-session-id"))) {
                    RawHttpServer.open(out, "text/event-stream");
                    RawHttpServer.event(
                            out, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}");
                    new CountDownLatch(1).await();
                } else if (restarted.getAndSet(true)) {
                    refuse(out, status, refusal.substring(4));
                } else {
                    RawHttpServer.open(out, "text/event-stream");
                    throw new IOException("The server restarts");
                }
            });
            try (McpClient client = server.connect(exchanger, SETTINGS.withListener(listener))) {
                assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(client.server().era()).isEqualTo(Era.LEGACY);
                assertThat(server.requests("initialize")).hasSize(2);
                assertThat(server.requests("notifications/initialized"))
                        .extracting(request -> request.headers().get("mcp-session-id"))
                        .containsExactly("session-1", "session-2");
            }
        }
    }

    @Test
    void a_lost_session_that_cannot_be_restarted_ends_the_connection() throws Exception {
        AtomicBoolean opened = new AtomicBoolean();
        CompletableFuture<McpFailure> told = new CompletableFuture<>();
        NotificationListener listener = new NotificationListener() {
            @Override
            public void notified(String method, @Nullable ObjectNode params) {}

            @Override
            public void disconnected(McpFailure why) {
                told.complete(why);
            }
        };
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY)) {
            server.on("GET", (message, out) -> {
                if (opened.getAndSet(true)) {
                    server.on("initialize", (_, refusal) -> refuse(refusal, 503, ""));
                    refuse(out, 404, "");
                } else {
                    RawHttpServer.open(out, "text/event-stream");
                    throw new IOException("The server restarts");
                }
            });
            try (McpClient client = server.connect(exchanger, SETTINGS.withListener(listener))) {
                assertThat(client.server().era()).isEqualTo(Era.LEGACY);
                McpFailure failure = told.get(30, TimeUnit.SECONDS);
                assertThat(failure.kind()).isEqualTo(McpFailureKind.SESSION_LOST);
                assertThat(failure).hasMessageContaining("503");
            }
        }
    }

    @Test
    void trace_context_and_unknown_fields_are_passed_on() throws Exception {
        ObjectNode meta = JsonNodeFactory.instance.objectNode();
        meta.put("traceparent", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01");
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on(
                                "tools/call",
                                (message, out) -> result(
                                        message,
                                        out,
                                        "{\"content\": [], \"extra\": 1.10, \"_meta\": {\"com.example/x\": [1e2]}}"));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            ObjectNode result = client.callTool("t", NOTHING, CallOptions.DEFAULT.withMeta(meta));
            assertThat(result.path("_meta").has("com.example/x")).isTrue();
            assertThat(result.has("extra")).isTrue();
            assertThat(server.requests("tools/call")).singleElement().satisfies(request -> {
                assertThat(request.body())
                        .contains(
                                "\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01\"",
                                "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
                assertThat(request.headers())
                        .containsEntry("mcp-method", "tools/call")
                        .containsEntry("mcp-name", "t")
                        .containsEntry("mcp-protocol-version", "2026-07-28");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://example.com/mcp", "http://127.0.0.1.example.com/mcp", "ftp://localhost/mcp"})
    void plain_http_is_refused_except_on_loopback(String url) {
        McpFailure failure = catchThrowableOfType(
                McpFailure.class,
                () -> new HttpTransport(
                        HttpEndpoint.of(URI.create(url), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                        exchanger,
                        ServerAuthorization.fixed(Map.of()),
                        TransportLimits.DEFAULT));
        assertThat(failure.kind()).isEqualTo(McpFailureKind.ADDRESS_REFUSED);
    }

    @Test
    void a_closed_port_is_unreachable() {
        McpFailure failure = catchThrowableOfType(
                McpFailure.class,
                () -> McpClient.connect(
                        new HttpTransport(
                                HttpEndpoint.of(
                                        URI.create("http://127.0.0.1:9/mcp"), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                                exchanger,
                                ServerAuthorization.fixed(Map.of()),
                                TransportLimits.DEFAULT),
                        SETTINGS));
        assertThat(failure.kind()).isEqualTo(McpFailureKind.UNREACHABLE);
        assertThat(failure.kind().mayHaveRun()).isFalse();
    }
}
