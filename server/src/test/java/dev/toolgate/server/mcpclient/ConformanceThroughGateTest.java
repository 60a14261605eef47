package dev.toolgate.server.mcpclient;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.fixture.ConformanceSuite;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamConnectors;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamPrompts;
import dev.toolgate.runtime.upstream.UpstreamResources;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import dev.toolgate.runtime.upstream.UpstreamTools;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The official conformance suite against the gate, with the suite's server behind it: permission
 * checks, records and redaction do not change what clients see.
 */
class ConformanceThroughGateTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Pattern SCENARIO = Pattern.compile("(?m)^([✓✗~]) ([a-z0-9-]+): \\d+ passed, (\\d+) failed");

    @TempDir
    private Path folder;

    private ConformanceServer behind;
    private Upstream upstream;
    private RunningServer gate;
    private String key;

    @BeforeEach
    void start() throws Exception {
        behind = ConformanceServer.start();
        RuntimeSettings settings = RuntimeSettings.of(folder.resolve("workspace"), folder.resolve("state"));
        upstream = new Upstream(
                UpstreamSettings.of(
                                "suite",
                                new UpstreamEndpoint.Remote(
                                        URI.create(behind.url()),
                                        EndpointCheck.LOOPBACK_WITHOUT_TLS,
                                        Map.of(),
                                        ServerAuthorization.fixed(Map.of())))
                        .named(UpstreamSettings.Naming.AS_LISTED),
                UpstreamConnectors.of(
                        AddressPolicy.publicAnd(List.of("127.0.0.1")),
                        folder.resolve("programs"),
                        settings.sandboxMode(),
                        settings.sandbox(),
                        Map::of),
                UpstreamListener.NONE);
        upstream.refresh();
        List<Tool<?>> tools = new ArrayList<>(
                UpstreamTools.of(upstream, upstream.definitions()).tools());
        tools.add(new UpstreamPrompts(upstream));
        tools.add(new UpstreamResources(upstream));
        gate = RunningServer.start(folder.resolve("home"), Map.of(), tools.toArray(new Tool<?>[0]));
        key = gate.key(FIRST, Role.AGENT, new AgentId("suite"));
        gate.admin().post("/api/v1/agents", "{\"agent_id\": \"suite\"}");
        for (Tool<?> tool : tools) {
            String name = URLEncoder.encode(tool.spec().name(), StandardCharsets.UTF_8);
            Reply granted = gate.admin().put("/api/v1/permissions/suite/" + name, "{\"allowed\": true}");
            assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
        }
    }

    @AfterEach
    void stop() throws Exception {
        gate.close();
        upstream.close();
        behind.close();
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 30", "2026-07-28, 37"})
    void a_server_behind_the_gate_passes_all_that_a_revision_requires(String revision, int required)
            throws IOException {
        Path preload = folder.resolve("authorization.cjs");
        try (var script = getClass().getResourceAsStream("/mcp-clients/conformance/authorization.cjs")) {
            Files.write(preload, script.readAllBytes());
        }
        ConformanceSuite.Run run = ConformanceSuite.run(
                folder.resolve("output.txt"),
                LIMIT,
                Map.of("NODE_OPTIONS", "--require " + preload, "GATE_ADDRESS", gate.url(), "GATE_KEY", key),
                "server",
                "--url",
                gate.url() + "/mcp",
                "--requirements",
                revision);

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(SCENARIO.matcher(run.output()).results())
                .as(run.output())
                .extracting(MatchResult::group)
                .hasSizeGreaterThanOrEqualTo(required);
    }
}
