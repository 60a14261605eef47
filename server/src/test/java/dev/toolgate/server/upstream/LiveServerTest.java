package dev.toolgate.server.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamConnectors;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.PinnedDefinition;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Which lists of tools are stored, and in which order. */
class LiveServerTest {
    private static final URI URL = URI.create("https://mcp.example.com/mcp");

    @TempDir
    private Path folder;

    private final List<String> stored = new CopyOnWriteArrayList<>();
    private final CountDownLatch storing = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Test
    void a_list_that_arrives_while_another_is_stored_is_stored_next() throws Exception {
        try (LiveServer server =
                new LiveServer(server(), this::upstream, LiveServerTest::pinned, this::store, () -> {}, null)) {
            Thread first = Thread.ofPlatform().start(() -> server.toolsListed(List.of(tool("first"))));
            storing.await();
            Thread second = Thread.ofPlatform().start(() -> server.toolsListed(List.of(tool("second"))));
            await().until(() -> second.getState() == Thread.State.BLOCKED);
            mayEnd.countDown();
            first.join();
            second.join();
        }

        assertThat(stored).containsExactly("first", "second");
    }

    private void store(LiveServer server, List<PinnedDefinition> found) {
        storing.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        found.forEach(definition -> stored.add(definition.tool()));
    }

    private Upstream upstream(UpstreamListener listener) {
        return new Upstream(
                UpstreamSettings.of(
                        "wiki",
                        new UpstreamEndpoint.Remote(
                                URL, EndpointCheck.TLS_ONLY, Map.of(), ServerAuthorization.fixed(Map.of()))),
                UpstreamConnectors.of(
                        AddressPolicy.publicOnly(), folder, SandboxMode.CONFINED, SandboxSettings.standard(), Map::of),
                listener);
    }

    private static StoredServer server() {
        McpServerSettings settings = new McpServerSettings(
                URL,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                false,
                null,
                null,
                McpServerSettings.DEFAULT_CAPABILITY,
                McpServerSettings.DEFAULT_TIMEOUT,
                Map.of(),
                false,
                true,
                false);
        return new StoredServer(
                new TenantId("default"),
                new ServerName("wiki"),
                StoredServer.Source.API,
                settings,
                1,
                null,
                Instant.EPOCH,
                "key:1",
                Instant.EPOCH,
                "key:1");
    }

    private static List<PinnedDefinition> pinned(List<ObjectNode> listed) {
        return listed.stream()
                .flatMap(definition -> PinnedDefinition.of(definition).stream())
                .toList();
    }

    private static ObjectNode tool(String name) {
        return (ObjectNode) Json.MAPPER.readTree(ChangingMcpServer.tool(name, "Does something."));
    }
}
