package dev.toolgate.mcp.client;

import static dev.toolgate.mcp.client.ScriptedMcpServer.response;
import static dev.toolgate.mcp.client.ScriptedMcpServer.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Misbehaving HTTP servers: each causes one clear failure, uses bounded memory and does not affect other calls. */
public abstract class HostileHttpContract {
    private static final ClientSettings SETTINGS = ClientSettings.of(new Implementation("test", "1"))
            .withTimeouts(CallTimeout.of(Duration.ofSeconds(20)), Duration.ofSeconds(20));
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
    private static final int MEGABYTE = 1 << 20;

    private final HttpExchanger exchanger;

    protected HostileHttpContract(HttpExchanger exchanger) {
        this.exchanger = exchanger;
    }

    @AfterEach
    void closeExchanger() {
        exchanger.close();
    }

    private McpFailure failure(ScriptedMcpServer server) throws Exception {
        try (McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure = failure(client, CallOptions.DEFAULT);
            assertStillWorks(server, client);
            return failure;
        }
    }

    private static McpFailure failure(McpClient client, CallOptions options) {
        return catchThrowableOfType(McpFailure.class, () -> client.callTool("bad", NOTHING, options));
    }

    private static void assertStillWorks(ScriptedMcpServer server, McpClient client) throws McpFailure {
        server.on("prompts/get", (message, out) -> result(message, out, "{\"messages\": []}"));
        assertThat(client.getPrompt("good", NOTHING, CallOptions.DEFAULT).has("messages"))
                .isTrue();
    }

    @Test
    void a_hanging_call_times_out_and_others_still_work() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedMcpServer server =
                        new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> over.await());
                McpClient client = server.connect(exchanger, SETTINGS)) {
            FutureTask<McpFailure> hanging = new FutureTask<>(
                    () -> failure(client, CallOptions.DEFAULT.withTimeout(CallTimeout.of(Duration.ofMillis(300)))));
            Thread.startVirtualThread(hanging);
            Awaitility.await().until(() -> !server.requests("tools/call").isEmpty());
            assertStillWorks(server, client);

            McpFailure failure = hanging.get();
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TIMEOUT);
            assertThat(failure).hasMessageContaining("300 ms");
            assertStillWorks(server, client);
            over.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rubbish",
                "",
                "[]",
                "{}",
                "{\"jsonrpc\": \"2.0\", \"id\": 99999, \"result\": {}}",
                "{\"jsonrpc\": \"2.0\", \"id\": \"2\", \"result\": {}}",
                "{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": 7}",
                "{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {}, \"error\": {}}",
                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {\"a\": 1, \"a\": 2}}",
                "{\"jsonrpc\": \"2.0\", \"id\": 2, \"result\": {\"a\": 1e999999999}}"
            })
    void a_body_that_is_not_a_response_is_refused(String body) throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                .on("tools/call", (message, out) -> RawHttpServer.answer(out, 200, "application/json", body))) {
            assertThat(failure(server).kind()).isEqualTo(McpFailureKind.INVALID_ANSWER);
        }
    }

    @Test
    void deeply_nested_json_is_refused() throws Exception {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                .on("tools/call", (message, out) -> result(message, out, "{\"content\": " + deep + "}"))) {
            McpFailure failure = failure(server);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.INVALID_ANSWER);
            assertThat(failure).hasMessageContaining("levels");
        }
    }

    @Test
    void another_media_type_is_refused() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                .on("tools/call", (message, out) -> RawHttpServer.answer(out, 200, "text/html", "<html>"))) {
            assertThat(failure(server)).hasMessageContaining("text/html");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    void a_response_of_a_hundred_megabytes_is_aborted(String type) throws Exception {
        AtomicLong written = new AtomicLong();
        byte[] chunk = "a".repeat(MEGABYTE).getBytes(StandardCharsets.UTF_8);
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
            RawHttpServer.open(out, type);
            out.write((type.startsWith("text") ? "data: " : "").getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 100; i++) {
                out.write(chunk);
                written.addAndGet(chunk.length);
            }
            throw new IOException("The end");
        })) {
            McpFailure failure = failure(server);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            assertThat(written.get()).isLessThan(40L * MEGABYTE);
        }
    }

    @Test
    void an_endless_stream_of_events_is_aborted() throws Exception {
        String notification = "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\", \"params\": {\"data\": \""
                + "x".repeat(10_000) + "\"}}";
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
            RawHttpServer.open(out, "text/event-stream");
            while (true) {
                RawHttpServer.event(out, notification);
            }
        })) {
            assertThat(failure(server).kind()).isEqualTo(McpFailureKind.TOO_LARGE);
        }
    }

    @Test
    void unsolicited_responses_are_ignored() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
                    RawHttpServer.open(out, "text/event-stream");
                    RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"id\": 777, \"result\": {\"wrong\": 1}}");
                    RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"result\": {\"wrong\": 2}}");
                    RawHttpServer.event(out, response(message, "{\"right\": 1}"));
                    RawHttpServer.event(out, response(message, "{\"right\": 2}"));
                    throw new IOException("The end");
                });
                McpClient client = server.connect(exchanger, SETTINGS)) {
            assertThat(client.callTool("good", NOTHING, CallOptions.DEFAULT)
                            .path("right")
                            .intValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void a_call_whose_connection_breaks_is_not_sent_again() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
            throw new IOException("The connection ends");
        })) {
            McpFailure failure = failure(server);
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
            assertThat(failure.kind().mayHaveRun()).isTrue();
            assertThat(server.requests("tools/call")).hasSize(1);
        }
    }

    @Test
    void a_call_whose_stream_ends_early_is_not_sent_again() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
            RawHttpServer.answer(out, 200, "text/event-stream", ": nothing\n\n");
        })) {
            assertThat(failure(server).kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
            assertThat(server.requests("tools/call")).hasSize(1);
        }
    }

    @Test
    void redirects_are_not_followed() throws Exception {
        try (ScriptedMcpServer elsewhere = new ScriptedMcpServer(Era.MODERN);
                ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on(
                                "tools/call",
                                (message, out) -> RawHttpServer.answer(
                                        out, 307, "text/plain", "", "Location: " + elsewhere.url()))) {
            assertThat(failure(server)).hasMessageContaining("redirects are not followed");
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @Test
    void a_flood_of_notifications_neither_fills_memory_nor_stops_calls() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicLong heard = new AtomicLong();
        NotificationListener listener = (method, params) -> {
            heard.incrementAndGet();
            try {
                slow.await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        };
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN).on("tools/call", (message, out) -> {
                    RawHttpServer.open(out, "text/event-stream");
                    for (int i = 0; i < 20_000; i++) {
                        RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\"}");
                    }
                    RawHttpServer.event(out, response(message, "{\"done\": true}"));
                    throw new IOException("The end");
                });
                McpClient client = server.connect(exchanger, SETTINGS.withListener(listener))) {
            ObjectNode result = client.callTool("flood", NOTHING, CallOptions.DEFAULT);
            assertThat(result.path("done").asBoolean()).isTrue();
            slow.countDown();
            assertThat(heard.get()).isLessThan(1_000);
        }
    }

    @Test
    void a_list_whose_cursor_never_ends_is_refused() throws Exception {
        AtomicLong page = new AtomicLong();
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on(
                                "tools/list",
                                (message, out) -> result(
                                        message,
                                        out,
                                        "{\"tools\": [], \"nextCursor\": \"" + page.incrementAndGet() + "\"}"));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure = catchThrowableOfType(McpFailure.class, () -> client.listTools(CallOptions.DEFAULT));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            assertThat(page.get()).isEqualTo(ClientLimits.DEFAULT.maxPages());
        }
    }

    @Test
    void a_repeated_cursor_ends_the_list() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on(
                                "tools/list",
                                (message, out) -> result(message, out, "{\"tools\": [], \"nextCursor\": \"same\"}"));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure = catchThrowableOfType(McpFailure.class, () -> client.listTools(CallOptions.DEFAULT));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            assertThat(server.requests("tools/list")).hasSize(2);
        }
    }

    @Test
    void a_list_over_its_size_limit_is_refused() throws Exception {
        AtomicLong page = new AtomicLong();
        String tool = "{\"name\": \"t\", \"inputSchema\": {}, \"description\": \"" + "x".repeat(MEGABYTE) + "\"}";
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on(
                                "tools/list",
                                (message, out) -> result(
                                        message,
                                        out,
                                        "{\"tools\": [" + tool + "], \"nextCursor\": \"" + page.incrementAndGet()
                                                + "\"}"));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            McpFailure failure = catchThrowableOfType(McpFailure.class, () -> client.listTools(CallOptions.DEFAULT));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            assertThat(page.get()).isBetween(15L, 25L);
        }
    }

    @Test
    void invalid_tools_are_left_out() throws Exception {
        String tools = """
                [{"name": "good", "inputSchema": {}, "unknown": {"kept": true}},
                 {"name": "good", "inputSchema": {}},
                 {"inputSchema": {}}, {"name": 7, "inputSchema": {}}, {"name": "", "inputSchema": {}},
                 {"name": "no schema"}, {"name": "schema", "inputSchema": true}, "no object",
                 {"name": "mirror", "inputSchema": {"properties": {"a": {"type": "object", "x-mcp-header": "A"}}}}]
                """;
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on("tools/list", (message, out) -> result(message, out, "{\"tools\": " + tools + "}"));
                McpClient client = server.connect(exchanger, SETTINGS)) {
            ToolList list = client.listTools(CallOptions.DEFAULT);
            assertThat(list.tools()).singleElement().satisfies(tool -> assertThat(
                            tool.path("unknown").path("kept").asBoolean())
                    .isTrue());
            assertThat(list.invalid())
                    .extracting(ToolList.InvalidTool::name)
                    .containsExactly("good", "", "", "", "no schema", "schema", "mirror");
        }
    }

    @Test
    void too_many_requests_for_input_are_refused() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                .on(
                        "tools/call",
                        (message, out) -> result(
                                message, out, "{\"resultType\": \"input_required\", \"requestState\": \"s\"}"))) {
            assertThat(failure(server).kind()).isEqualTo(McpFailureKind.INPUT_REFUSED);
            assertThat(server.requests("tools/call")).hasSize(ClientLimits.DEFAULT.maxInputRounds() + 1);
        }
    }

    @Test
    void an_unknown_type_of_result_is_refused() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                .on("tools/call", (message, out) -> result(message, out, "{\"resultType\": \"surprise\"}"))) {
            assertThat(failure(server).kind()).isEqualTo(McpFailureKind.INVALID_ANSWER);
        }
    }

    @Test
    void limits_can_be_configured() throws Exception {
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.MODERN)
                        .on(
                                "tools/call",
                                (message, out) -> result(message, out, "{\"text\": \"" + "x".repeat(5_000) + "\"}"));
                McpClient client =
                        server.connect(exchanger, SETTINGS, TransportLimits.DEFAULT.withMaxAnswerBytes(2_000))) {
            assertThat(failure(client, CallOptions.DEFAULT).kind()).isEqualTo(McpFailureKind.TOO_LARGE);
        }
    }
}
