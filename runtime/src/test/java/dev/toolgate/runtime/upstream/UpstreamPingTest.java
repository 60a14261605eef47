package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.stdio.LocalStdioProcess;
import dev.toolgate.mcp.client.stdio.StdioTimeouts;
import dev.toolgate.mcp.client.stdio.StdioTransport;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.Era;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What the ping after a failed call means for the other calls. */
class UpstreamPingTest {
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(50), Duration.ofMillis(200));

    private static final String RESULT = "{\"content\": [{\"type\": \"text\", \"text\": \"3\"}]}";

    private final AtomicBoolean refusesSockets = new AtomicBoolean();
    private @Nullable Upstream upstream;

    @AfterEach
    void close() {
        if (upstream != null) {
            upstream.close();
        }
    }

    private Upstream open(ScriptedMcpServer server) throws Exception {
        UpstreamEndpoint.Remote remote = new UpstreamEndpoint.Remote(
                server.url(), EndpointCheck.LOOPBACK_WITHOUT_TLS, Map.of(), ServerAuthorization.fixed(Map.of()));
        SocketConnector sockets = (host, port, _) -> {
            if (refusesSockets.get()) {
                throw new ConnectException("refused");
            }
            return new Socket(host, port);
        };
        Upstream opened = new Upstream(
                UpstreamSettings.of("remote", remote),
                new RemoteConnector(remote, sockets, SSLContext.getDefault()),
                UpstreamListener.NONE,
                SHORT);
        upstream = opened;
        return opened;
    }

    /** How a server or a proxy in front of it may refuse a ping that follows a call without answer. */
    enum RefusedPing {
        UNAUTHORIZED,
        TOO_MANY_REQUESTS,
        UNAVAILABLE,
        NO_ANSWER,
        NO_SOCKET
    }

    @ParameterizedTest
    @EnumSource(RefusedPing.class)
    void a_ping_that_is_refused_does_not_end_other_calls(RefusedPing refused) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedMcpServer server = new ScriptedMcpServer(Era.LEGACY);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            server.on("tools/call", (message, out) -> {
                boolean isSlow = message.at("/params/name").asString("").equals("slow");
                if (!isSlow) {
                    refusesSockets.set(refused == RefusedPing.NO_SOCKET);
                }
                answer.await();
                ScriptedMcpServer.result(message, out, RESULT);
            });
            server.on(
                    "tools/list",
                    (message, out) -> RawHttpServer.answer(
                            out,
                            200,
                            "application/json",
                            ScriptedMcpServer.response(message, "{\"tools\": []}"),
                            "Connection: close"));
            server.on("ping", (_, out) -> {
                switch (refused) {
                    case UNAUTHORIZED -> RawHttpServer.answer(out, 401, "text/plain", "");
                    case TOO_MANY_REQUESTS -> RawHttpServer.answer(out, 429, "text/plain", "");
                    case UNAVAILABLE -> RawHttpServer.answer(out, 503, "text/plain", "");
                    case NO_ANSWER, NO_SOCKET -> throw new IOException("The connection ends here.");
                }
            });
            Upstream opened = open(server);
            opened.refresh();
            Future<ObjectNode> slow = callers.submit(() -> UncheckedCalls.call(opened, "slow"));
            await().until(() -> !server.requests("tools/call").isEmpty());

            assertThat(shortCall(opened).kind()).isEqualTo(McpFailureKind.TIMEOUT);
            await().until(() -> opened.state() instanceof UpstreamState.Unavailable
                    || server.requests("initialize").size() > 1);
            refusesSockets.set(false);
            await().until(() -> server.requests("initialize").size() > 1);

            assertThat(slow).isNotDone();
            answer.countDown();
            assertThat(slow.get().has("content")).isTrue();
        } finally {
            answer.countDown();
        }
    }

    private static McpFailure shortCall(Upstream opened) {
        CallOptions options = CallOptions.DEFAULT.withTimeout(CallTimeout.of(Duration.ofMillis(500)));
        return catchThrowableOfType(
                McpFailure.class, () -> opened.callTool("add", Json.MAPPER.createObjectNode(), options, () -> {}));
    }

    @Test
    void a_program_that_reads_nothing_during_a_call_is_not_ended(@TempDir Path folder) throws Exception {
        UpstreamEndpoint.Program program = UpstreamEndpoint.Program.of(List.of("/usr/bin/python3"));
        try (Upstream opened = new Upstream(
                        UpstreamSettings.of("single", program),
                        new Program(folder, Program.SINGLE_THREADED),
                        UpstreamListener.NONE,
                        BackOff.DEFAULT);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            opened.refresh();
            Future<ObjectNode> slow = callers.submit(() -> UncheckedCalls.call(opened, "slow"));
            await().until(() -> Files.exists(folder.resolve("started")));
            ObjectNode large = Json.MAPPER.createObjectNode().put("text", "x".repeat(1 << 20));
            Future<ObjectNode> writing = callers.submit(() -> UncheckedCalls.call(opened, "add", large));

            await().until(() -> {
                McpFailure failed = shortCall(opened);
                return failed.kind() == McpFailureKind.NOT_SENT;
            });

            // As long as a ping waits before the server counts as dead.
            await().during(Duration.ofSeconds(6))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> opened.state() instanceof UpstreamState.Connected);
            Files.createFile(folder.resolve("end"));
            assertThat(slow.get().has("content")).isTrue();
            assertThat(writing.get().has("content")).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "{'text': 'x' * (11 << 20)}"})
    void a_program_whose_ping_has_an_unusable_answer_keeps_its_calls(String result, @TempDir Path folder)
            throws Exception {
        UpstreamEndpoint.Program program = UpstreamEndpoint.Program.of(List.of("/usr/bin/python3"));
        try (Upstream opened = new Upstream(
                        UpstreamSettings.of("busy", program),
                        new Program(folder, Program.BUSY.replace("PING_RESULT", result)),
                        UpstreamListener.NONE,
                        BackOff.DEFAULT);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            opened.refresh();
            Future<ObjectNode> slow = callers.submit(() -> UncheckedCalls.call(opened, "slow"));
            await().until(() -> Files.exists(folder.resolve("started")));

            assertThat(shortCall(opened).kind()).isEqualTo(McpFailureKind.TIMEOUT);

            await().until(() -> Files.exists(folder.resolve("pinged")));
            await().during(Duration.ofSeconds(1)).until(() -> opened.state() instanceof UpstreamState.Connected);
            Files.createFile(folder.resolve("end"));
            assertThat(slow.get().has("content")).isTrue();
        }
    }

    /** Starts a program in a folder. */
    private record Program(Path folder, String code) implements ServerConnector {
        /** Handles one request at a time; its tool "slow" ends when there is a file. */
        private static final String SINGLE_THREADED = """
                import json, os, sys, time
                for line in sys.stdin:
                    request = json.loads(line)
                    if "id" not in request:
                        continue
                    result = {"content": []}
                    if request["method"] == "initialize":
                        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                  "serverInfo": {"name": "single", "version": "1"}}
                    elif request["method"] == "tools/list":
                        result = {"tools": []}
                    elif request["method"] == "tools/call" and request["params"]["name"] == "slow":
                        open("started", "w").close()
                        while not os.path.exists("end"):
                            time.sleep(0.02)
                    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
                """;

        /** Answers no call but those of its tool "slow", which ends when there is a file. */
        private static final String BUSY = """
                import json, os, sys, threading, time
                def answer(request, result):
                    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
                def slow(request):
                    open("started", "w").close()
                    while not os.path.exists("end"):
                        time.sleep(0.02)
                    answer(request, {"content": []})
                for line in sys.stdin:
                    request = json.loads(line)
                    if "id" not in request:
                        continue
                    if request["method"] == "initialize":
                        answer(request, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                         "serverInfo": {"name": "busy", "version": "1"}})
                    elif request["method"] == "tools/list":
                        answer(request, {"tools": []})
                    elif request["method"] == "tools/call" and request["params"]["name"] == "slow":
                        threading.Thread(target=slow, args=(request,)).start()
                    elif request["method"] == "ping":
                        answer(request, PING_RESULT)
                        open("pinged", "w").close()
                    elif request["method"] != "tools/call":
                        answer(request, {})
                """;

        @Override
        public McpTransport open() throws McpFailure {
            try {
                return new StdioTransport(
                        LocalStdioProcess.start(List.of("/usr/bin/python3", "-c", code), Map.of(), folder),
                        TransportLimits.DEFAULT,
                        new StdioTimeouts(
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(1)));
            } catch (IOException missing) {
                throw new McpFailure(McpFailureKind.UNREACHABLE, "Python cannot be started.", missing);
            }
        }

        @Override
        public void close() {}
    }
}
