package dev.toolgate.mcp.server.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ServerChange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StdioServerTest {
    private static final String META = "'_meta': {'io.modelcontextprotocol/protocolVersion': '2026-07-28', "
            + "'io.modelcontextprotocol/clientCapabilities': {}}";

    private McpEngine engine;
    private OutputStream toServer;
    private BufferedReader fromServer;
    private Thread running;

    @BeforeEach
    void start() throws IOException {
        engine = ConformanceServer.engine();
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        toServer = Channels.newOutputStream(requests.sink());
        InputStream in = Channels.newInputStream(requests.source());
        OutputStream out = Channels.newOutputStream(answers.sink());
        fromServer = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(answers.source()), StandardCharsets.UTF_8));
        StdioServer server = new StdioServer(engine, RpcLimits.DEFAULT.withMaxBytes(10_000), in, out, "me");
        running = Thread.ofPlatform().start(() -> {
            try (out) {
                server.run();
            } catch (IOException gone) {
                // the test is over
            }
        });
    }

    @AfterEach
    void stop() throws Exception {
        toServer.close();
        assertThat(running.join(Duration.ofSeconds(20))).isTrue();
        engine.close();
    }

    private void send(String line) throws IOException {
        toServer.write((line.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
        toServer.flush();
    }

    private JsonNode next() throws IOException {
        String line = fromServer.readLine();
        assertThat(line).isNotNull();
        return JsonMapper.shared().readTree(line);
    }

    private void initialize() throws IOException {
        send("{'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {'protocolVersion': '2025-11-25', "
                + "'capabilities': {'elicitation': {}}, 'clientInfo': {'name': 't', 'version': '1'}}}");
        assertThat(next().path("result").path("protocolVersion").asString()).isEqualTo("2025-11-25");
    }

    @Test
    void serves_both_eras_over_one_pipe() throws IOException {
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'server/discover', 'params': {" + META + "}}");
        assertThat(next().path("result").path("supportedVersions")).hasSize(3);
        initialize();
        send("{'jsonrpc': '2.0', 'id': 2, 'method': 'ping'}");
        assertThat(next().path("result").isEmpty()).isTrue();
        send("{'jsonrpc': '2.0', 'id': 3, 'method': 'ping', 'params': {" + META + "}}");
        assertThat(next().path("error").path("code").asInt()).isEqualTo(-32601);
    }

    @Test
    void answers_each_malformed_line_with_one_error_and_continues() throws IOException {
        send("rubbish");
        assertThat(next().path("error").path("code").asInt()).isEqualTo(-32700);
        send("[]");
        assertThat(next().path("error").path("code").asInt()).isEqualTo(-32600);
        send("{'a': '" + "x".repeat(20_000) + "'}");
        assertThat(next().path("error").path("message").asString()).contains("20009 bytes");
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}");
        assertThat(next().path("error").path("message").asString()).contains("initialize");
        send("{'jsonrpc': '2.0', 'id': 'nobody', 'result': {}}");
        send("{'jsonrpc': '2.0', 'id': 2, 'method': 'server/discover'}");
        assertThat(next().path("error").path("code").asInt()).isEqualTo(-32602);
        initialize();
        send("{'jsonrpc': '2.0', 'id': 3, 'method': 'initialize', 'params': {'protocolVersion': '2025-11-25', "
                + "'capabilities': {}, 'clientInfo': {}}}");
        assertThat(next().path("error").path("code").asInt()).isEqualTo(-32600);
    }

    @Test
    void asks_its_client_in_the_legacy_era() throws IOException {
        initialize();
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'test_elicitation', "
                + "'arguments': {'message': 'Who?'}}}");
        JsonNode question = next();
        assertThat(question.path("params").path("message").asString()).isEqualTo("Who?");

        send("{'jsonrpc': '2.0', 'id': " + question.get("id") + ", 'result': {'action': 'decline'}}");

        assertThat(next().path("result").toString()).contains("decline");
    }

    @Test
    void a_cancelled_request_is_not_answered() throws IOException {
        initialize();
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'test_elicitation', "
                + "'arguments': {'message': 'Who?'}}}");
        next();
        send("{'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 1}}");
        send("{'jsonrpc': '2.0', 'id': 2, 'method': 'ping'}");

        assertThat(next().path("id").asInt()).isEqualTo(2);
    }

    @Test
    void a_session_is_notified_of_changes() throws IOException {
        initialize();
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}");
        next(); // after this response, the session is subscribed
        engine.subscriptions().publish(new ServerChange.ToolsChanged(), "me"::equals);

        assertThat(next().path("method").asString()).isEqualTo("notifications/tools/list_changed");
    }

    @Test
    void a_modern_client_listens_until_it_cancels() throws IOException {
        send("{'jsonrpc': '2.0', 'id': 'l', 'method': 'subscriptions/listen', 'params': "
                + "{'notifications': {'toolsListChanged': true}, " + META + "}}");
        assertThat(next().path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
        engine.subscriptions().publish(new ServerChange.ToolsChanged(), "me"::equals);
        assertThat(next().path("params").path("_meta").toString())
                .isEqualTo("{\"io.modelcontextprotocol/subscriptionId\":\"l\"}");

        send("{'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 'l'}}");
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'server/discover', 'params': {" + META + "}}");
        assertThat(next().path("id").asInt()).isEqualTo(1);
        engine.subscriptions().publish(new ServerChange.ToolsChanged(), "me"::equals);
        send("{'jsonrpc': '2.0', 'id': 2, 'method': 'server/discover', 'params': {" + META + "}}");
        assertThat(next().path("id").asInt()).isEqualTo(2);
    }
}
