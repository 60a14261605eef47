package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.protocol.Era;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What a lost connection, and one that cannot be made, mean for definitions, credentials and other calls. */
class UpstreamRecoveryTest {
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(50), Duration.ofMillis(200));

    /** Longer than any test waits. */
    private static final BackOff LONG = new BackOff(Duration.ofHours(1), Duration.ofHours(1));

    private static final String RESULT = "{\"content\": [{\"type\": \"text\", \"text\": \"3\"}]}";

    private final AtomicReference<String> tools = new AtomicReference<>(tool("Adds."));
    private final Credentials credentials = new Credentials();
    private final AtomicBoolean refusesSockets = new AtomicBoolean();
    private @Nullable Upstream upstream;

    /** Credentials that fail on demand, and count how often they are needed. */
    private static final class Credentials implements ServerAuthorization {
        private final AtomicInteger uses = new AtomicInteger();
        private volatile @Nullable McpFailure failure;
        private volatile @Nullable RuntimeException unavailable;

        @Override
        public Map<String, String> headers() throws McpFailure {
            uses.incrementAndGet();
            McpFailure expected = failure;
            if (expected != null) {
                throw expected;
            }
            RuntimeException unexpected = unavailable;
            if (unexpected != null) {
                throw unexpected;
            }
            return Map.of();
        }

        @Override
        public String renew(Refusal refusal) {
            return "there are no others";
        }
    }

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
                .on("tools/call", (message, out) -> ScriptedMcpServer.result(message, out, RESULT))
                .on("DELETE", (_, out) -> RawHttpServer.answer(out, 204, "text/plain", ""));
    }

    private Upstream open(ScriptedMcpServer server, UpstreamListener listener, BackOff backOff) throws Exception {
        UpstreamEndpoint.Remote remote = remote(server);
        return open(UpstreamSettings.of("remote", remote), remote, listener, backOff);
    }

    private UpstreamEndpoint.Remote remote(ScriptedMcpServer server) {
        return new UpstreamEndpoint.Remote(server.url(), EndpointCheck.LOOPBACK_WITHOUT_TLS, Map.of(), credentials);
    }

    private Upstream open(
            UpstreamSettings settings, UpstreamEndpoint.Remote remote, UpstreamListener listener, BackOff backOff)
            throws Exception {
        SocketConnector sockets = (host, port, _) -> {
            if (refusesSockets.get()) {
                throw new ConnectException("refused");
            }
            return new Socket(host, port);
        };
        Upstream opened = new Upstream(
                settings, new RemoteConnector(remote, sockets, SSLContext.getDefault()), listener, backOff);
        upstream = opened;
        return opened;
    }

    private static void run(UpstreamTool tool) throws ToolFailure, InterruptedException {
        ObjectNode none = Json.MAPPER.createObjectNode();
        var _ = tool.call(
                none, new ToolContext(Call.of(Caller.local(), tool.spec().name(), none), Bounds.none()));
    }

    private static void assertNotSent(UpstreamTool tool, ScriptedMcpServer server) {
        ToolFailure refused = catchThrowableOfType(ToolFailure.class, () -> run(tool));
        assertThat(refused).isNotNull();
        assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_NOT_FOUND);
        assertThat(refused).hasMessageContaining("was not run");
        assertThat(server.requests("tools/call")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"tools\": []}", "changed"})
    void a_tool_that_changed_while_the_server_was_stopped_is_not_called(String after) throws Exception {
        try (ScriptedMcpServer server = server()) {
            // Programs are stopped when they are idle, and started again by the next call.
            UpstreamSettings program = UpstreamSettings.of("remote", UpstreamEndpoint.Program.of(List.of("program")))
                    .stoppedAfter(Duration.ofMillis(1));
            Upstream opened = open(program, remote(server), UpstreamListener.NONE, LONG);
            opened.refresh();
            UpstreamTool tool = UpstreamTool.of(opened, opened.definitions().getFirst());
            await().until(() -> opened.state() instanceof UpstreamState.NotStarted);

            tools.set(after.equals("changed") ? tool("Deletes.") : after);

            assertNotSent(tool, server);
            tools.set(tool("Adds."));
            await().until(() -> opened.state() instanceof UpstreamState.NotStarted);
            run(tool);
            assertThat(server.requests("tools/call")).hasSize(1);
        }
    }

    @Test
    void a_tool_that_changed_with_the_session_is_not_called() throws Exception {
        try (ScriptedMcpServer server = server()) {
            AtomicInteger calls = new AtomicInteger();
            AtomicInteger refusals = new AtomicInteger();
            server.on("tools/call", (message, out) -> {
                if (refusals.getAndIncrement() == 0) {
                    RawHttpServer.answer(out, 404, "text/plain", "no such session");
                } else {
                    calls.incrementAndGet();
                    ScriptedMcpServer.result(message, out, RESULT);
                }
            });
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            UpstreamTool tool = UpstreamTool.of(opened, opened.definitions().getFirst());
            tools.set(tool("Deletes."));

            ToolFailure refused = catchThrowableOfType(ToolFailure.class, () -> run(tool));

            assertThat(calls).hasValue(0);
            assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_NOT_FOUND);
        }
    }

    @Test
    void a_call_that_needs_other_headers_is_not_repeated() throws Exception {
        try (ScriptedMcpServer server = server()) {
            server.on(
                    "tools/call",
                    (message, out) -> RawHttpServer.answer(
                            out,
                            400,
                            "application/json",
                            "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", \"error\": {\"code\": "
                                    + RpcErrorCode.HEADER_MISMATCH.code() + ", \"message\": \"a header\"}}"));
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            tools.set("{\"tools\": []}");

            assertThatThrownBy(() -> UncheckedCalls.call(opened, "add")).isInstanceOf(McpFailure.class);

            await().until(() -> opened.definitions().isEmpty());
            assertThat(server.requests("tools/call")).hasSize(1);
        }
    }

    @Test
    void a_call_in_progress_survives_the_loss_of_the_session() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedMcpServer server = server();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean lost = new AtomicBoolean();
            server.on("tools/call", (message, out) -> {
                if (message.at("/params/name").asString("").equals("slow")) {
                    answer.await();
                } else if (lost.compareAndSet(false, true)) {
                    RawHttpServer.answer(out, 404, "text/plain", "no such session");
                    return;
                }
                ScriptedMcpServer.result(message, out, RESULT);
            });
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            Future<ObjectNode> slow = callers.submit(() -> UncheckedCalls.call(opened, "slow"));
            await().until(() -> !server.requests("tools/call").isEmpty());

            assertThat(UncheckedCalls.call(opened, "add").has("content")).isTrue();

            assertThat(server.requests("initialize")).hasSize(2);
            answer.countDown();
            assertThat(slow.get().has("content")).isTrue();
        } finally {
            answer.countDown();
        }
    }

    @Test
    void connecting_with_missing_credentials_is_retried_with_back_off() throws Exception {
        try (ScriptedMcpServer server = server()) {
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            server.on("tools/call", (_, _) -> {
                throw new IOException("The connection ends here.");
            });
            server.on("ping", (_, _) -> {
                credentials.unavailable = new Unavailable("The secret SUBJECT is not configured.", null);
                throw new IOException("The connection ends here.");
            });

            assertThatThrownBy(() -> UncheckedCalls.call(opened, "add")).isInstanceOf(McpFailure.class);

            await().until(() -> opened.state() instanceof UpstreamState.Unavailable away
                    && away.why().contains("SUBJECT"));
            int tried = credentials.uses.get();
            await().during(Duration.ofMillis(300)).until(() -> credentials.uses.get() == tried);
            McpFailure atOnce = catchThrowableOfType(McpFailure.class, () -> UncheckedCalls.call(opened, "add"));
            assertThat(atOnce).hasMessageContaining("SUBJECT");
        }
    }

    @Test
    void clients_are_closed_when_the_listener_fails_and_the_list_is_not_lost() throws Exception {
        assertRecovers(new FailingListener(), IllegalStateException.class);
    }

    @Test
    void clients_are_closed_after_an_error_and_the_list_is_not_lost() throws Exception {
        FailingListener listener = new FailingListener(() -> {
            throw new StackOverflowError();
        });
        assertRecovers(listener, StackOverflowError.class);
    }

    private void assertRecovers(FailingListener listener, Class<? extends Throwable> failure) throws Exception {
        listener.fails.set(true);
        try (ScriptedMcpServer server = server()) {
            Upstream opened = open(server, listener, SHORT);

            assertThatThrownBy(opened::refresh).isInstanceOf(failure);

            assertThat(opened.definitions()).as("what the server offers now").hasSize(1);
            assertThat(opened.state()).isInstanceOf(UpstreamState.Unavailable.class);
            await().until(() -> server.requests("initialize").size() >= 2);
            listener.fails.set(false);
            await().until(() -> opened.state() instanceof UpstreamState.Connected);
            assertThat(listener.lists).hasSize(1);
            assertThat(opened.definitions()).hasSize(1);
            await().untilAsserted(() -> assertThat(sessionsEnded(server))
                    .isEqualTo(server.requests("initialize").size() - 1));
        }
    }

    private static long sessionsEnded(ScriptedMcpServer server) {
        return server.requests().stream()
                .filter(request -> request.method().equals("DELETE"))
                .count();
    }

    @Test
    void one_call_that_cannot_connect_does_not_end_the_others() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedMcpServer server = server();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            server.on("tools/call", (message, out) -> {
                if (message.at("/params/name").asString("").equals("slow")) {
                    answer.await();
                }
                RawHttpServer.answer(
                        out, 200, "application/json", ScriptedMcpServer.response(message, RESULT), "Connection: close");
            });
            Upstream opened = open(server, UpstreamListener.NONE, SHORT);
            opened.refresh();
            Future<ObjectNode> slow = callers.submit(() -> UncheckedCalls.call(opened, "slow"));
            await().until(() -> !server.requests("tools/call").isEmpty());

            refusesSockets.set(true);
            await().until(() -> {
                McpFailure failed = catchThrowableOfType(McpFailure.class, () -> UncheckedCalls.call(opened, "add"));
                return failed != null && failed.kind() == McpFailureKind.UNREACHABLE;
            });
            await().until(() -> opened.state() instanceof UpstreamState.Unavailable);
            refusesSockets.set(false);

            await().ignoreExceptions()
                    .until(() -> UncheckedCalls.call(opened, "add").has("content"));
            assertThat(slow).isNotDone();
            answer.countDown();
            assertThat(slow.get().has("content")).isTrue();
            await().untilAsserted(() -> assertThat(sessionsEnded(server)).isOne());
        } finally {
            answer.countDown();
        }
    }

    @Test
    void an_issuer_that_is_down_does_not_lose_the_connection() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedMcpServer server = server();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            server.on("tools/call", (message, out) -> {
                if (message.at("/params/name").asString("").equals("slow")) {
                    answer.await();
                }
                ScriptedMcpServer.result(message, out, RESULT);
            });
            Upstream opened = open(server, UpstreamListener.NONE, LONG);
            opened.refresh();
            Future<ObjectNode> slow = callers.submit(() -> UncheckedCalls.call(opened, "slow"));
            await().until(() -> !server.requests("tools/call").isEmpty());

            for (McpFailureKind kind :
                    List.of(McpFailureKind.UNREACHABLE, McpFailureKind.CONNECTION_LOST, McpFailureKind.TIMEOUT)) {
                credentials.failure = new McpFailure(kind, "The issuer has a problem.");
                McpFailure failed = catchThrowableOfType(McpFailure.class, () -> UncheckedCalls.call(opened, "add"));
                assertThat(failed).hasMessage("The issuer has a problem.");
                assertThat(failed.kind().mayHaveRun()).isFalse();
            }
            credentials.failure = null;

            assertThat(UncheckedCalls.call(opened, "add").has("content")).isTrue();
            answer.countDown();
            assertThat(slow.get().has("content")).isTrue();
            assertThat(opened.state()).isInstanceOf(UpstreamState.Connected.class);
            assertThat(server.requests("initialize")).hasSize(1);
        } finally {
            answer.countDown();
        }
    }
}
