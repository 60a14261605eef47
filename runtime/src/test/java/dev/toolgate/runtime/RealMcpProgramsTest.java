package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.Progress;
import dev.toolgate.mcp.client.RealMcpServers;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.upstream.HostUpstreams.Registration;
import dev.toolgate.runtime.upstream.ProgramEnvironment;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Third-party MCP servers, in the sandbox and over HTTP, called through the router. */
class RealMcpProgramsTest extends WithOpenRuntime {
    private static final Path INSTALLED = Path.of("target/mcp-servers").toAbsolutePath();

    private Registration.Registered register(String name, List<String> command, Map<String, String> environment) {
        UpstreamEndpoint.Program program = UpstreamEndpoint.Program.of(command)
                .in(open.workspace)
                .reading(List.of(INSTALLED))
                .with(ProgramEnvironment.of(environment));
        return register(open.runtime, UpstreamSettings.of(name, program));
    }

    private static Registration.Registered register(LocalRuntime runtime, UpstreamSettings settings) {
        Registration registration = runtime.router().registerMcp(settings.within(Duration.ofMinutes(2), Map.of()));
        assertThat(registration).isInstanceOf(Registration.Registered.class);
        return (Registration.Registered) registration;
    }

    private String text(String tool, Map<String, ?> arguments) {
        ToolResult result = open.call(tool, arguments);
        assertThat(result.error()).isNull();
        return Objects.requireNonNull(result.outputText());
    }

    @Test
    void everything() throws IOException {
        assertThat(register("everything", RealMcpServers.node("everything", "stdio"), Map.of())
                        .skipped())
                .isEmpty();
        tryEverything(open);
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
        Path other = Files.createDirectory(folder.resolve("other"));
        try (LocalRuntime runtime = LocalRuntime.open(RuntimeSettings.of(other, folder.resolve("other-state"))
                .withInternalAddresses(List.of("127.0.0.1:" + port)))) {
            UpstreamSettings settings = UpstreamSettings.of(
                    "everything",
                    UpstreamEndpoint.Remote.of(URI.create("http://127.0.0.1:" + port + "/mcp"))
                            .with(EndpointCheck.LOOPBACK_WITHOUT_TLS));
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> runtime.router().registerMcp(settings) instanceof Registration.Registered);
            ToolResult echoed = runtime.router().execute(ToolRequest.of("everything/echo", Map.of("message", "héllo")));
            assertThat(echoed.outputText()).isEqualTo("Echo: héllo");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void tryEverything(OpenRuntime runtime) {
        assertThat(text("everything/echo", Map.of("message", "héllo"))).isEqualTo("Echo: héllo");
        List<Progress> heard = new CopyOnWriteArrayList<>();
        CallListener listener = new CallListener() {
            @Override
            public void onChunk(OutputChunk chunk) {}

            @Override
            public void onProgress(Progress progress) {
                heard.add(progress);
            }
        };
        ToolResult result = runtime.runtime
                .router()
                .execute(
                        ToolRequest.of("everything/trigger-long-running-operation", Map.of("duration", 1, "steps", 4)),
                        listener,
                        new Cancellation());
        assertThat(result.error()).isNull();
        assertThat(heard).hasSize(4);
        ToolResult image = runtime.call("everything/get-tiny-image", Map.of());
        assertThat(image.artifacts())
                .anySatisfy(artifact -> assertThat(artifact.mediaType()).isEqualTo("image/png"));
        assertThat(runtime.call("everything/get-structured-content", Map.of("location", "New York"))
                        .structured())
                .isNotNull();
    }

    @Test
    void filesystem() throws IOException {
        Files.writeString(open.workspace.resolve("note.txt"), "Hello from a file.");
        register("filesystem", RealMcpServers.node("filesystem", open.workspace.toString()), Map.of());
        assertThat(text(
                        "filesystem/read_text_file",
                        Map.of("path", open.workspace.resolve("note.txt").toString())))
                .isEqualTo("Hello from a file.");
        assertError(
                open.call("filesystem/read_text_file", Map.of("path", "/etc/passwd")),
                "TOOL_EXECUTION_FAILED",
                "Access denied");
    }

    @Test
    void memory() throws IOException {
        register(
                "memory",
                RealMcpServers.node("memory"),
                Map.of("MEMORY_FILE_PATH", open.workspace.resolve("memory.json").toString()));
        text(
                "memory/create_entities",
                Map.of(
                        "entities",
                        List.of(Map.of("name", "Ada", "entityType", "person", "observations", List.of("writes")))));
        assertThat(open.call("memory/read_graph", Map.of()).structured())
                .asString()
                .contains("Ada");
    }

    @Test
    void git() throws Exception {
        run("git", "init", "-q", open.workspace.toString());
        Files.writeString(open.workspace.resolve("new.txt"), "new");
        run("chown", "-R", WorkspaceAccount.of(open.workspace).uid() + "", open.workspace.toString());
        register("git", RealMcpServers.python("git"), Map.of());
        assertThat(text("git/git_status", Map.of("repo_path", open.workspace.toString())))
                .contains("new.txt");
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void time() throws IOException {
        register("time", RealMcpServers.python("time", "--local-timezone", "UTC"), Map.of());
        assertThat(text("time/get_current_time", Map.of("timezone", "UTC"))).contains("UTC");
    }

    @Test
    void sqlite() throws IOException {
        register(
                "sqlite",
                RealMcpServers.legacyPython(
                        "sqlite", "--db-path", open.workspace.resolve("data.db").toString()),
                Map.of());
        text("sqlite/create_table", Map.of("query", "CREATE TABLE t (n INTEGER)"));
        text("sqlite/write_query", Map.of("query", "INSERT INTO t VALUES (42)"));
        assertThat(text("sqlite/read_query", Map.of("query", "SELECT n FROM t")))
                .contains("42");
    }

    @Test
    void a_server_built_with_the_java_sdk() throws IOException {
        // The libraries may be in a folder that the account of the sandbox cannot read.
        Path libraries = Files.createDirectory(folder.resolve("libraries"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.isRegularFile(from)
                    && from.getFileName()
                            .toString()
                            .matches("(mcp|reactor|reactive|jackson|slf4j-api|json-schema).*")) {
                Files.copy(from, libraries.resolve(from.getFileName()));
            }
        }
        Path own = Files.createDirectories(libraries.resolve("dev/toolgate/runtime"));
        try (InputStream in = Objects.requireNonNull(SdkServer.class.getResourceAsStream("SdkServer.class"))) {
            Files.copy(in, own.resolve("SdkServer.class"));
        }
        Path java = Path.of(System.getProperty("java.home")).toRealPath();
        UpstreamEndpoint.Program program = UpstreamEndpoint.Program.of(List.of(
                        java.resolve("bin/java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        libraries + File.pathSeparator + libraries.resolve("*"),
                        SdkServer.class.getName()))
                .reading(java.startsWith("/usr") ? List.of(libraries) : List.of(libraries, java));
        register(open.runtime, UpstreamSettings.of("sdk", program));
        assertThat(text("sdk/add", Map.of("a", 2, "b", 3))).isEqualTo("The sum is 5");
        assertError(open.call("sdk/add", Map.of("a", "two", "b", 3)), "INVALID_REQUEST", "Field 'a'");
    }
}
