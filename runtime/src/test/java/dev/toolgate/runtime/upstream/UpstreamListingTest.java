package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.Era;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which list of tools counts, if lists are late or cannot be read or handled. */
class UpstreamListingTest {
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(50), Duration.ofMillis(200));

    /** Longer than any test waits. */
    private static final BackOff LONG = new BackOff(Duration.ofHours(1), Duration.ofHours(1));

    private static final String RESULT = "{\"content\": [{\"type\": \"text\", \"text\": \"3\"}]}";

    private final AtomicReference<String> tools = new AtomicReference<>(tool("Adds."));
    private @Nullable Upstream upstream;

    @AfterEach
    void close() {
        if (upstream != null) {
            upstream.close();
        }
    }

    private static String tool(String description) {
        return "{\"tools\": [{\"name\": \"add\", \"description\": \"" + description
                + "\", \"inputSchema\": {\"type\": \"object\"}}]}";
    }

    private ScriptedMcpServer server() throws IOException {
        return new ScriptedMcpServer(Era.LEGACY)
                .on("tools/list", (message, out) -> ScriptedMcpServer.result(message, out, tools.get()))
                .on("tools/call", (message, out) -> ScriptedMcpServer.result(message, out, RESULT));
    }

    private Upstream open(ScriptedMcpServer server, UpstreamListener listener, BackOff backOff) throws Exception {
        return open(server, UpstreamSettings.of("remote", remote(server)), listener, backOff);
    }

    private Upstream open(
            ScriptedMcpServer server, UpstreamSettings settings, UpstreamListener listener, BackOff backOff)
            throws Exception {
        Upstream opened = new Upstream(
                settings,
                new RemoteConnector(remote(server), (host, port, _) -> new Socket(host, port), SSLContext.getDefault()),
                listener,
                backOff);
        upstream = opened;
        return opened;
    }

    private static UpstreamEndpoint.Remote remote(ScriptedMcpServer server) {
        return new UpstreamEndpoint.Remote(
                server.url(), EndpointCheck.LOOPBACK_WITHOUT_TLS, Map.of(), ServerAuthorization.fixed(Map.of()));
    }

    private static void assertNotSent(UpstreamTool tool, ScriptedMcpServer server) {
        ToolFailure refused = catchThrowableOfType(ToolFailure.class, () -> run(tool));
        assertThat(refused).isNotNull();
        assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_NOT_FOUND);
        assertThat(refused).hasMessageContaining("was not run");
        assertThat(server.requests("tools/call")).isEmpty();
    }

    private static void run(UpstreamTool tool) throws ToolFailure, InterruptedException {
        ObjectNode none = Json.MAPPER.createObjectNode();
        var _ = tool.call(
                none, new ToolContext(Call.of(Caller.local(), tool.spec().name(), none), Bounds.none()));
    }

    @Test
    void a_changed_tool_is_not_called_even_if_the_listener_fails() throws Exception {
        FailingListener listener = new FailingListener();
        try (ScriptedMcpServer server = server()) {
            Upstream opened = open(server, listener, LONG);
            opened.refresh();
            UpstreamTool tool = UpstreamTool.of(opened, opened.definitions().getFirst());
            listener.fails.set(true);
            tools.set(tool("Deletes."));

            assertThatThrownBy(opened::refresh).isInstanceOf(IllegalStateException.class);

            assertNotSent(tool, server);
            listener.fails.set(false);
            opened.refresh();
            assertThat(listener.lists).as("the list counts as new again").hasSize(2);
            assertNotSent(tool, server);
        }
    }

    @Test
    void a_late_list_of_a_lost_session_does_not_replace_the_next_sessions() throws Exception {
        CountDownLatch listing = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedMcpServer server = server();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            List<ObjectNode> before = opened.definitions();
            server.onRequest("tools/list", (request, message, out) -> {
                String listed = tools.get();
                if (isFirstSession(request)) {
                    listing.countDown();
                    answer.await();
                }
                ScriptedMcpServer.result(message, out, listed);
            });
            server.onRequest("tools/call", (request, message, out) -> {
                if (isFirstSession(request)) {
                    RawHttpServer.answer(out, 404, "text/plain", "no such session");
                } else {
                    ScriptedMcpServer.result(message, out, RESULT);
                }
            });
            Future<?> late = callers.submit(() -> {
                opened.refresh();
                return null;
            });
            listing.await();
            tools.set(tool("Deletes."));
            assertThat(UncheckedCalls.call(opened, "add").has("content")).isTrue();
            List<ObjectNode> after = opened.definitions();
            assertThat(after).isNotEqualTo(before);

            answer.countDown();
            late.get();

            assertThat(opened.definitions()).isEqualTo(after);
            assertThat(server.requests("tools/list")).as("listed again").hasSize(5);
        } finally {
            answer.countDown();
        }
    }

    private static boolean isFirstSession(RawHttpServer.Request request) {
        return "session-1".equals(request.headers().get("mcp-session-id"));
    }

    @Test
    void a_late_list_does_not_replace_one_that_was_requested_after_it() throws Exception {
        CountDownLatch listing = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicBoolean isLate = new AtomicBoolean(true);
        try (ScriptedMcpServer server = server();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            server.on("tools/list", (message, out) -> {
                String listed = tools.get();
                if (isLate.getAndSet(false)) {
                    listing.countDown();
                    answer.await();
                }
                ScriptedMcpServer.result(message, out, listed);
            });
            Future<?> late = callers.submit(() -> {
                opened.refresh();
                return null;
            });
            listing.await();
            tools.set("{\"tools\": []}");
            opened.refresh();

            answer.countDown();
            late.get();

            assertThat(opened.definitions()).isEmpty();
        } finally {
            answer.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 503})
    void tools_whose_listing_failed_are_listed_again(int status) throws Exception {
        try (ScriptedMcpServer server = server()) {
            Upstream opened = open(server, UpstreamListener.NONE, SHORT);
            opened.refresh();
            AtomicBoolean fails = new AtomicBoolean(true);
            server.on("tools/list", (message, out) -> {
                if (fails.getAndSet(false)) {
                    RawHttpServer.answer(out, status, "application/json", error(message));
                } else {
                    ScriptedMcpServer.result(message, out, tools.get());
                }
            });
            tools.set("{\"tools\": []}");

            assertThatThrownBy(opened::refresh).isInstanceOf(McpFailure.class);

            await().until(() -> opened.definitions().isEmpty());
            assertThat(server.requests("initialize")).hasSize(1);
        }
    }

    @Test
    void a_program_whose_list_keeps_failing_is_stopped_when_idle() throws Exception {
        try (ScriptedMcpServer server = server()) {
            UpstreamSettings program = UpstreamSettings.of("remote", UpstreamEndpoint.Program.of(List.of("program")))
                    .stoppedAfter(Duration.ofMillis(500));
            Upstream opened = open(server, program, UpstreamListener.NONE, LONG);
            opened.refresh();
            server.on(
                    "tools/list", (message, out) -> RawHttpServer.answer(out, 200, "application/json", error(message)));

            assertThatThrownBy(opened::refresh).isInstanceOf(McpFailure.class);

            await().until(() -> opened.state() instanceof UpstreamState.NotStarted);
        }
    }

    @Test
    void a_program_of_which_only_lists_are_read_is_stopped_when_idle() throws Exception {
        try (ScriptedMcpServer server = server()) {
            server.on(
                            "initialize",
                            (message, out) -> server.initialize(message, out, "{\"tools\": {}, \"prompts\": {}}"))
                    .on("prompts/list", (message, out) -> ScriptedMcpServer.result(message, out, "{\"prompts\": []}"));
            UpstreamSettings program = UpstreamSettings.of("remote", UpstreamEndpoint.Program.of(List.of("program")))
                    .stoppedAfter(Duration.ofMillis(500));
            Upstream opened = open(server, program, UpstreamListener.NONE, LONG);
            assertThat(opened.prompts().get()).isEmpty();

            await().until(() -> {
                opened.prompts().invalidate();
                assertThat(opened.prompts().getIfKnown()).isEmpty(); // fetches it in the background
                return opened.state() instanceof UpstreamState.NotStarted;
            });

            assertThat(server.requests("prompts/list")).hasSizeGreaterThan(1);
        }
    }

    private static String error(JsonNode message) {
        return "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id")
                + ", \"error\": {\"code\": -32603, \"message\": \"The list is not available.\"}}";
    }
}
