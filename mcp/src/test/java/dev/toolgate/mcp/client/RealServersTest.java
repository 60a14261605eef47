package dev.toolgate.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.stdio.LocalStdioProcess;
import dev.toolgate.mcp.client.stdio.StdioTimeouts;
import dev.toolgate.mcp.client.stdio.StdioTransport;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Third-party servers: their tools are listed and called, and no process is left. */
class RealServersTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ClientSettings SETTINGS = ClientSettings.of(new Implementation("toolgate-test", "1"))
            .withTimeouts(CallTimeout.of(Duration.ofMinutes(2)), Duration.ofMinutes(1));

    @TempDir
    private Path folder;

    private final List<Long> started = new ArrayList<>();

    @AfterEach
    void no_process_is_left() {
        for (long pid : started) {
            Awaitility.await().until(() -> ProcessHandle.of(pid).isEmpty());
        }
    }

    private McpClient connect(List<String> command, ClientSettings settings) throws IOException, McpFailure {
        LocalStdioProcess process = LocalStdioProcess.start(
                command,
                Map.of("MEMORY_FILE_PATH", folder.resolve("memory.json").toString()),
                folder);
        started.add(process.pid());
        return McpClient.connect(new StdioTransport(process, TransportLimits.DEFAULT, StdioTimeouts.DEFAULT), settings);
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) JSON.readTree(json);
    }

    private static String call(McpClient client, String tool, String arguments) throws McpFailure {
        ObjectNode result = client.callTool(tool, object(arguments), CallOptions.DEFAULT);
        assertThat(result.path("isError").asBoolean(false))
                .as(result.toString())
                .isFalse();
        return result.path("content").path(0).path("text").asString("");
    }

    private static List<String> names(McpClient client) throws McpFailure {
        return client.listTools(CallOptions.DEFAULT).tools().stream()
                .map(tool -> tool.path("name").stringValue())
                .toList();
    }

    @Test
    void everything() throws Exception {
        try (McpClient client = connect(RealMcpServers.node("everything", "stdio"), SETTINGS)) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            tryEverything(client);
        }
    }

    @Test
    void everything_over_http() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ProcessBuilder builder = new ProcessBuilder(RealMcpServers.node("everything", "streamableHttp"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("PORT", Integer.toString(port));
        Process process = builder.start();
        try (HttpExchanger exchanger =
                new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofSeconds(5))) {
            HttpEndpoint endpoint = HttpEndpoint.of(
                    URI.create("http://localhost:" + port + "/mcp"), EndpointCheck.LOOPBACK_WITHOUT_TLS);
            McpClient connected = Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .ignoreException(McpFailure.class)
                    .until(
                            () -> McpClient.connect(
                                    new HttpTransport(
                                            endpoint,
                                            exchanger,
                                            ServerAuthorization.fixed(Map.of()),
                                            TransportLimits.DEFAULT),
                                    SETTINGS),
                            client -> true);
            try (McpClient client = connected) {
                assertThat(client.server().era()).isEqualTo(Era.LEGACY);
                tryEverything(client);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void tryEverything(McpClient client) throws McpFailure {
        assertThat(names(client)).contains("echo", "get-sum", "trigger-long-running-operation");
        assertThat(call(client, "echo", "{\"message\": \"héllo\"}")).isEqualTo("Echo: héllo");
        AtomicInteger steps = new AtomicInteger();
        client.callTool(
                "trigger-long-running-operation",
                object("{\"duration\": 1, \"steps\": 4}"),
                CallOptions.DEFAULT.withProgress(params -> steps.incrementAndGet()));
        assertThat(steps.get()).isEqualTo(4);
        CallCancellation cancellation = new CallCancellation();
        McpFailure cancelled = catchThrowableOfType(
                McpFailure.class,
                () -> client.callTool(
                        "trigger-long-running-operation",
                        object("{\"duration\": 60, \"steps\": 600}"),
                        CallOptions.DEFAULT
                                .withCancellation(cancellation)
                                .withProgress(params -> cancellation.cancel("Enough."))));
        assertThat(cancelled.kind()).isEqualTo(McpFailureKind.CANCELLED);
        assertThat(call(client, "get-sum", "{\"a\": 2, \"b\": 3}")).contains("5");
        assertThat(client.listResources(CallOptions.DEFAULT)).isNotEmpty();
        assertThat(client.listPrompts(CallOptions.DEFAULT)).isNotEmpty();
        client.ping(CallOptions.DEFAULT);
    }

    @Test
    void filesystem_with_roots() throws Exception {
        Files.writeString(folder.resolve("note.txt"), "Hello from a file.");
        AtomicInteger asked = new AtomicInteger();
        ClientSettings settings =
                SETTINGS.withInput(new ClientCapabilities(object("{\"roots\": {}}")), _ -> roots(asked));
        try (McpClient client = connect(RealMcpServers.node("filesystem", folder.toString()), settings)) {
            assertThat(names(client)).hasSize(14).contains("read_text_file");
            assertThat(call(
                            client,
                            "read_text_file",
                            JSON.createObjectNode()
                                    .put("path", folder.resolve("note.txt").toString())
                                    .toString()))
                    .isEqualTo("Hello from a file.");
            Awaitility.await().until(() -> asked.get() > 0);
        }
    }

    private InputAnswer roots(AtomicInteger asked) {
        asked.incrementAndGet();
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.putArray("roots").addObject().put("uri", folder.toUri().toString());
        return new InputAnswer.Given(result);
    }

    @Test
    void memory() throws Exception {
        try (McpClient client = connect(RealMcpServers.node("memory"), SETTINGS)) {
            assertThat(names(client)).hasSize(9);
            call(
                    client,
                    "create_entities",
                    "{\"entities\": [{\"name\": \"Ada\", \"entityType\": \"person\", \"observations\": [\"writes\"]}]}");
            ObjectNode graph = client.callTool("read_graph", object("{}"), CallOptions.DEFAULT);
            assertThat(graph.path("structuredContent")
                            .path("entities")
                            .path(0)
                            .path("name")
                            .stringValue())
                    .isEqualTo("Ada");
        }
    }

    @Test
    void git() throws Exception {
        assertThat(new ProcessBuilder("git", "init", "--quiet", folder.toString())
                        .start()
                        .waitFor())
                .isZero();
        try (McpClient client = connect(RealMcpServers.python("git", "--repository", folder.toString()), SETTINGS)) {
            assertThat(client.server().era()).isEqualTo(Era.MODERN);
            assertThat(names(client)).hasSize(12);
            assertThat(call(
                            client,
                            "git_status",
                            JSON.createObjectNode()
                                    .put("repo_path", folder.toString())
                                    .toString()))
                    .contains("No commits yet");
        }
    }

    @Test
    void time() throws Exception {
        try (McpClient client = connect(RealMcpServers.python("time"), SETTINGS)) {
            assertThat(client.server().era()).isEqualTo(Era.MODERN);
            assertThat(names(client)).containsExactlyInAnyOrder("get_current_time", "convert_time");
            assertThat(call(
                            client,
                            "convert_time",
                            "{\"source_timezone\": \"UTC\", \"time\": \"12:00\", \"target_timezone\": \"Asia/Tokyo\"}"))
                    .contains("21:00");
        }
    }

    @Test
    void sqlite() throws Exception {
        try (McpClient client = connect(
                RealMcpServers.legacyPython(
                        "sqlite", "--db-path", folder.resolve("a.db").toString()),
                SETTINGS)) {
            assertThat(client.server().era()).isEqualTo(Era.LEGACY);
            assertThat(names(client)).hasSize(6);
            call(client, "create_table", "{\"query\": \"create table t (x integer)\"}");
            call(client, "write_query", "{\"query\": \"insert into t values (42)\"}");
            assertThat(call(client, "read_query", "{\"query\": \"select x from t\"}"))
                    .contains("42");
        }
    }

    @Test
    void a_server_killed_during_a_call_fails_it_and_leaves_no_process() throws Exception {
        try (McpClient client = connect(RealMcpServers.node("everything", "stdio"), SETTINGS)) {
            ProcessHandle process = ProcessHandle.of(started.getFirst()).orElseThrow();
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class,
                    () -> client.callTool(
                            "trigger-long-running-operation",
                            object("{\"duration\": 60, \"steps\": 600}"),
                            CallOptions.DEFAULT.withProgress(params -> process.destroyForcibly())));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);
            assertThat(failure).hasMessageContaining("The server has ended");
        }
    }
}
