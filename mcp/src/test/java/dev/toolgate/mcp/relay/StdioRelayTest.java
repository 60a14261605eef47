package dev.toolgate.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.fixture.JdkDoor;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.server.InMemorySessionStore;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.mcp.server.http.OriginPolicy;
import dev.toolgate.mcp.server.http.StreamSettings;
import dev.toolgate.mcp.server.http.StreamableHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client on pipes and a server over HTTP. */
@Timeout(60)
class StdioRelayTest {
    private static final String META = "'_meta': {'io.modelcontextprotocol/protocolVersion': '2026-07-28', "
            + "'io.modelcontextprotocol/clientCapabilities': {}}";

    private final Sessions sessions = new Sessions();
    private final McpEngine engine = ConformanceServer.engine();
    private final JdkHttpExchanger exchanger = new JdkHttpExchanger(Duration.ofSeconds(5));
    private StreamableHttp http;
    private JdkDoor door;
    private OutputStream toRelay;
    private BufferedReader fromRelay;
    private Thread running;
    private final List<String> notifications = new ArrayList<>();

    /** A session store that records the ids. */
    private static final class Sessions implements SessionStore {
        final List<String> ids = new CopyOnWriteArrayList<>();
        volatile boolean failing;
        private final SessionStore kept = new InMemorySessionStore(10, Duration.ofHours(1), InstantSource.system());

        @Override
        public String create(SessionRecord record) {
            if (failing) {
                throw new IllegalStateException("No session can be stored now.");
            }
            String id = kept.create(record);
            ids.add(id);
            return id;
        }

        @Override
        public @Nullable SessionRecord find(String id) {
            return kept.find(id);
        }

        @Override
        public void update(String id, UnaryOperator<SessionRecord> change) {
            kept.update(id, change);
        }

        @Override
        public void delete(String id) {
            kept.delete(id);
        }
    }

    @BeforeEach
    void start() throws Exception {
        http = new StreamableHttp(
                engine, sessions, new RpcReader(RpcLimits.DEFAULT), new OriginPolicy(Set.of()), StreamSettings.DEFAULT);
        door = new JdkDoor(http);
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        toRelay = Channels.newOutputStream(requests.sink());
        OutputStream out = Channels.newOutputStream(answers.sink());
        fromRelay = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(answers.source()), StandardCharsets.UTF_8));
        StdioRelay relay = new StdioRelay(
                new HttpTransport(
                        HttpEndpoint.of(URI.create(door.url()), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                        exchanger,
                        ServerAuthorization.fixed(Map.of()),
                        TransportLimits.DEFAULT),
                RpcLimits.DEFAULT.withMaxBytes(10_000),
                Channels.newInputStream(requests.source()),
                out);
        running = Thread.ofPlatform().start(() -> {
            try (out) {
                relay.run();
            } catch (IOException gone) {
                // the test is over
            }
        });
    }

    @AfterEach
    void stop() throws Exception {
        toRelay.close();
        running.join();
        exchanger.close();
        engine.close();
        door.close();
        http.close();
    }

    private void send(String line) throws IOException {
        toRelay.write((line.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
        toRelay.flush();
    }

    private JsonNode next() throws IOException {
        return JsonMapper.shared().readTree(fromRelay.readLine());
    }

    /** The next answer; notifications before it are kept. */
    private JsonNode nextAnswer() throws IOException {
        JsonNode message = next();
        while (message.has("method")) {
            notifications.add(notification(message));
            message = next();
        }
        return message;
    }

    private static String notification(JsonNode message) {
        return message.path("method").asString()
                + message.path("params").path("uri").asString("");
    }

    private void awaitNotifications(String... expected) throws IOException {
        while (!notifications.containsAll(List.of(expected))) {
            notifications.add(notification(next()));
        }
    }

    private void initialize() throws IOException {
        send("{'jsonrpc': '2.0', 'id': 'i', 'method': 'initialize', 'params': {'protocolVersion': '2025-11-25', "
                + "'capabilities': {'elicitation': {}}, 'clientInfo': {'name': 't', 'version': '1'}}}");
        JsonNode begun = next();
        assertThat(begun.path("id").asString()).isEqualTo("i");
        assertThat(begun.path("result").path("protocolVersion").asString()).isEqualTo("2025-11-25");
        send("{'jsonrpc': '2.0', 'method': 'notifications/initialized'}");
    }

    private String call(String id, String tool) throws IOException {
        send("{'jsonrpc': '2.0', 'id': " + id + ", 'method': 'tools/call', 'params': {'name': '" + tool
                + "', 'arguments': {}}}");
        JsonNode answer = nextAnswer();
        assertThat(answer.path("id").toString()).isEqualTo(id);
        return answer.path("result").path("content").path(0).path("text").asString(answer.toString());
    }

    @Test
    void a_lost_session_is_restarted_and_the_call_is_sent_again() throws Exception {
        initialize();
        assertThat(call("1", "test_simple_text")).isEqualTo("Just some text.");

        sessions.delete(sessions.ids.getFirst());

        assertThat(call("2", "test_simple_text")).isEqualTo("Just some text.");
        assertThat(call("9007199254740993", "test_simple_text")).isEqualTo("Just some text.");
        assertThat(sessions.ids).hasSize(2);
    }

    @Test
    void a_session_that_could_not_be_restarted_is_restarted_by_the_next_request() throws Exception {
        initialize();
        sessions.delete(sessions.ids.getFirst());
        sessions.failing = true;
        assertThat(call("1", "test_simple_text")).contains("error");
        assertThat(call("2", "test_simple_text")).contains("error");

        sessions.failing = false;

        assertThat(call("3", "test_simple_text")).isEqualTo("Just some text.");
        assertThat(sessions.ids).hasSize(2);
    }

    @Test
    void a_restarted_session_has_the_subscriptions_and_the_log_level() throws Exception {
        initialize();
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'logging/setLevel', 'params': {'level': 'warning'}}");
        assertThat(nextAnswer().has("result")).isTrue();
        send(
                "{'jsonrpc': '2.0', 'id': 2, 'method': 'resources/subscribe', 'params': {'uri': 'test://watched-resource'}}");
        assertThat(nextAnswer().has("result")).isTrue();

        sessions.delete(sessions.ids.getFirst());
        assertThat(call("3", "test_simple_text")).isEqualTo("Just some text.");

        // The client reads again what may have changed while it had no session.
        awaitNotifications(
                "notifications/tools/list_changed",
                "notifications/resources/list_changed",
                "notifications/prompts/list_changed",
                "notifications/resources/updatedtest://watched-resource");
        SessionRecord restarted = Objects.requireNonNull(sessions.find(sessions.ids.getLast()));
        assertThat(restarted.resources()).containsExactly("test://watched-resource");
        assertThat(restarted.logLevel()).isEqualTo(LogLevel.WARNING);
    }

    @Test
    void the_session_ends_when_the_pipe_is_closed() throws Exception {
        initialize();
        assertThat(sessions.find(sessions.ids.getFirst())).isNotNull();

        toRelay.close();
        running.join();

        assertThat(sessions.find(sessions.ids.getFirst())).isNull();
    }

    @Test
    void a_server_request_and_the_clients_answer_are_relayed() throws Exception {
        initialize();
        send("{'jsonrpc': '2.0', 'id': 5, 'method': 'tools/call', 'params': {'name': 'test_elicitation', "
                + "'arguments': {'message': 'Who?'}}}");
        JsonNode question = next();
        assertThat(question.path("method").asString()).isEqualTo("elicitation/create");

        send("{'jsonrpc': '2.0', 'id': " + question.path("id")
                + ", 'result': {'action': 'accept', 'content': {'username': 'me', 'email': 'me@example.com'}}}");

        JsonNode answer = next();
        assertThat(answer.path("id").asInt()).isEqualTo(5);
        assertThat(answer.path("result").has("content")).isTrue();
    }

    @Test
    void mirrored_arguments_are_sent_as_headers() throws Exception {
        send("{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list', 'params': {" + META + "}}");
        assertThat(next().toString()).contains("x-mcp-header");

        send("{'jsonrpc': '2.0', 'id': 2, 'method': 'tools/call', 'params': {'name': 'test_mirrored_arguments', "
                + "'arguments': {'region': 'süd'}, " + META + "}}");

        assertThat(next().has("result")).isTrue();
    }

    @Test
    void malformed_messages_and_duplicate_ids_get_one_error() throws Exception {
        send("hello");
        assertThat(next().path("error").path("code").asInt()).isEqualTo(-32700);
        send("'" + "x".repeat(20_000) + "'");
        assertThat(next().path("error").path("message").asString()).contains("more than are accepted");
        send("{'jsonrpc': '2.0', 'id': 3, 'method': 'tools/list'}");
        JsonNode early = next();
        assertThat(early.path("id").asInt()).isEqualTo(3);
        assertThat(early.path("error").path("message").asString()).contains("initialize");
        send("{'jsonrpc': '2.0', 'id': 4, 'method': 'subscriptions/listen', 'params': {"
                + "'notifications': {'toolsListChanged': true}, " + META + "}}");
        assertThat(next().path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
        send("{'jsonrpc': '2.0', 'id': 4, 'method': 'tools/list', 'params': {" + META + "}}");
        assertThat(next().path("error").path("message").asString()).contains("still running");
    }
}
