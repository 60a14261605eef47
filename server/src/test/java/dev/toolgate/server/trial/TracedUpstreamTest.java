package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.operate.trace.Collector;
import dev.toolgate.server.upstream.ChangingMcpServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A gate with tracing between a traced caller and an MCP server: the server gets the gate's span, and nothing else. */
@Timeout(600)
class TracedUpstreamTest {
    private static final String TRACE = "0123456789abcdef0123456789abcdef";
    private static final String CALLER_SPAN = "00f067aa0ba902b7";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + CALLER_SPAN + "-01";
    private static final int TRACE_ID = 1;
    private static final int SPAN_ID = 2;
    private static final int PARENT_ID = 4;

    @TempDir
    private Path folder;

    @Test
    void a_server_behind_the_gate_gets_the_span_of_the_gate() throws Exception {
        try (Collector collector = new Collector();
                ChangingMcpServer upstream = ChangingMcpServer.open();
                ServerProcess gate = start(collector, upstream)) {
            Client admin = gate.client();
            upstream.offer(ChangingMcpServer.tool("say", "Says something."));
            Client.expect(201, admin.post("/api/v1/agents", "{\"agent_id\": \"agent\"}"));
            Client.expect(
                    201,
                    admin.post(
                            "/api/v1/mcp/servers",
                            "{\"name\": \"wiki\", \"url\": \"" + upstream.url() + "\", \"plain_http\": true}"));
            admin.grant("agent", "wiki%2Fsay");

            send(
                    admin,
                    "/api/v1/tools/execute",
                    Client.call("r1", "agent", "wiki/say", "{\"text\": \"a\"}"),
                    Map.of("traceparent", TRACEPARENT));
            call(admin, "\"traceparent\": \"" + TRACEPARENT + "\", \"baggage\": \"evil=1\", \"secret\": \"x\"");
            call(admin, "\"traceparent\": \"no trace\"");

            assertThat(upstream.metas()).hasSize(3);
            await().atMost(Duration.ofSeconds(60)).until(() -> collector.spans().size() >= 3);
            List<String> exported = collector.spans().stream()
                    .map(span -> "00-" + span.hex(TRACE_ID) + "-" + span.hex(SPAN_ID))
                    .toList();
            assertThat(upstream.metas())
                    .extracting(meta -> meta.path("traceparent").asString().replaceFirst("-[0-9a-f]{2}$", ""))
                    .doesNotHaveDuplicates()
                    .doesNotContain("00-" + TRACE + "-" + CALLER_SPAN)
                    .isSubsetOf(exported);
            for (JsonNode meta : upstream.metas().subList(0, 2)) {
                assertThat(meta.path("traceparent").asString()).startsWith("00-" + TRACE + "-");
            }
            assertThat(upstream.metas().get(2).toString()).doesNotContain(TRACE).doesNotContain("no trace");
            assertThat(upstream.metas().toString()).doesNotContain("baggage").doesNotContain("secret");
            assertThat(collector.spans().stream()
                            .filter(span -> span.hex(PARENT_ID).equals(CALLER_SPAN)))
                    .as("spans below that of the caller")
                    .hasSize(2);
        }
    }

    private static void call(Client admin, String meta) throws Exception {
        String reply = send(
                admin,
                "/mcp",
                """
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wiki__say", "arguments": {"text": "b"},
                         "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                          "io.modelcontextprotocol/clientInfo": {"name": "traced", "version": "1"},
                          "io.modelcontextprotocol/clientCapabilities": {}, %s}}}""".formatted(meta),
                Map.of(
                        "Accept", "application/json, text/event-stream",
                        "X-Agent-ID", "agent",
                        "MCP-Protocol-Version", "2026-07-28",
                        "Mcp-Method", "tools/call",
                        "Mcp-Name", "wiki__say"));
        assertThat(reply).contains("said b");
    }

    private static String send(Client client, String path, String body, Map<String, String> headers) throws Exception {
        var request = client.request("POST", path, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        HttpResponse<String> reply = client.http().send(request.build(), BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    private ServerProcess start(Collector collector, ChangingMcpServer upstream) throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        Path tools = Files.createFile(folder.resolve("tools"));
        Files.writeString(
                folder.resolve("toolgate.yaml"),
                Json.MAPPER.writeValueAsString(Map.of(
                        "network",
                        Map.of("internal_places", Map.of("default", List.of("127.0.0.1:" + upstream.port()))))));
        Map<String, String> environment = new HashMap<>(TrialDatabase.environment(folder, database));
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
        environment.put("OTEL_BSP_SCHEDULE_DELAY", "100");
        return ServerProcess.withTrialTools(environment, tools);
    }
}
