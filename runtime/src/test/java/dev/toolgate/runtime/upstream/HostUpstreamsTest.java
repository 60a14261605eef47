package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.upstream.HostUpstreams.Registration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of an embedding program that cannot be registered, or not with all their tools. */
class HostUpstreamsTest {
    @TempDir
    private Path folder;

    private HostUpstreams upstreams(HostUpstreams.ToolRegistry registry) {
        RuntimeSettings settings = RuntimeSettings.of(folder.resolve("workspace"), folder.resolve("state"));
        return new HostUpstreams(
                UpstreamConnectors.of(
                        AddressPolicy.publicAnd(List.of("127.0.0.1")),
                        folder.resolve("programs"),
                        settings.sandboxMode(),
                        settings.sandbox(),
                        Map::of),
                registry);
    }

    private static ScriptedMcpServer server(String tools) throws IOException {
        return new ScriptedMcpServer(Era.LEGACY)
                .on("tools/list", (message, out) -> ScriptedMcpServer.result(message, out, tools));
    }

    private static UpstreamSettings settings(ScriptedMcpServer server) {
        return UpstreamSettings.of(
                "remote",
                new UpstreamEndpoint.Remote(
                        server.url(),
                        EndpointCheck.LOOPBACK_WITHOUT_TLS,
                        Map.of(),
                        ServerAuthorization.fixed(Map.of())));
    }

    @Test
    void a_server_whose_tools_are_not_accepted_is_disconnected_for_good() throws Exception {
        try (ScriptedMcpServer server = server("{\"tools\": []}");
                HostUpstreams upstreams = upstreams((_, _) -> {
                    throw new IllegalStateException("The registry is closed.");
                })) {
            assertThatThrownBy(() -> upstreams.register(settings(server))).isInstanceOf(IllegalStateException.class);

            // Longer than the back-off after a failed attempt to connect.
            await().during(Duration.ofSeconds(2))
                    .until(() -> server.requests("initialize").size() == 1);
        }
    }

    @Test
    void a_tool_whose_schema_cannot_be_read_affects_no_other() throws Exception {
        String tools = """
                {"tools": [
                  {"name": "add", "inputSchema": {"type": "object"}},
                  {"name": "bare", "inputSchema": {"$schema": "json-schema.org/draft-07/schema"}},
                  {"name": "names", "inputSchema": {"propertyNames": "none"}},
                  {"name": "result", "inputSchema": {"type": "object"}, "outputSchema": {"not": 5}}]}""";
        try (ScriptedMcpServer server = server(tools);
                HostUpstreams upstreams = upstreams((_, _) -> {})) {
            Registration.Registered registered = (Registration.Registered) upstreams.register(settings(server));

            assertThat(registered.tools()).containsExactly("remote/add");
            assertThat(registered.skipped())
                    .extracting(UpstreamTools.SkippedTool::tool)
                    .containsExactly("bare", "names", "result");
        }
    }
}
