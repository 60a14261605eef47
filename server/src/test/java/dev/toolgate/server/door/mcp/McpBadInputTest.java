package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.operate.SayTool;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Malformed input to the MCP door: each gets one clear error, nothing runs, and the server keeps working. */
@Timeout(120)
class McpBadInputTest {
    private static final int MAX_BODY = 256 << 10;
    private static final Map<String, Integer> SAID = new ConcurrentHashMap<>();
    private static final CountDownLatch STARTED = new CountDownLatch(1);
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static String key;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        Map<String, String> settings = Map.of("http.max_body", "256KB", "http.request_timeout", "2s");
        server = RunningServer.start(home, settings, new SayTool(McpBadInputTest::say));
        key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        agent = server.withKey(key).with("Accept", "application/json, text/event-stream");
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        server.admin().put("/api/v1/permissions/agent_1/say", "{\"allowed\": true}");
    }

    private static Output say(String text) throws InterruptedException {
        SAID.merge(text, 1, Integer::sum);
        if (text.equals("slowly")) {
            STARTED.countDown();
            assertThat(RELEASED.await(30, TimeUnit.SECONDS)).isTrue();
        }
        return Output.text("said " + text);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @AfterEach
    void the_server_still_works() {
        for (Era era : Era.values()) {
            String text = "after " + SAID.size() + " " + era;
            assertThat(McpTestClient.text(McpTestClient.of(agent, era).call("say", "{\"text\": \"" + text + "\"}")))
                    .isEqualTo("said " + text);
        }
        assertThat(SAID).doesNotContainKey("bad");
    }

    /** A body that must not run. */
    record Bad(String what, String body) {
        Bad withEnd(String end) {
            return new Bad(what, body.substring(0, body.length() - 1) + end);
        }

        @Override
        public String toString() {
            return what;
        }
    }

    private static final String GOOD = McpTestClient.modern(new Client("http://127.0.0.1"), "{}")
            .body("tools/call", "{\"name\": \"say\", \"arguments\": {\"text\": \"bad\"}}");

    private static Bad changed(String what, String from, String to) {
        assertThat(GOOD).contains(from);
        return new Bad(what, GOOD.replace(from, to));
    }

    static Stream<Bad> bodies() {
        return Stream.of(
                new Bad("nothing", ""),
                new Bad("half of it", GOOD.substring(0, GOOD.length() / 2)),
                new Bad("more than it", GOOD + GOOD),
                new Bad("a batch", "[" + GOOD + "]"),
                new Bad("a batch of many", "[" + (GOOD + ",").repeat(200) + GOOD + "]"),
                new Bad("an empty batch", "[]"),
                new Bad("null", "null"),
                new Bad("invalid UTF-8", GOOD.replace("bad", "b\u00e4d")),
                new Bad("a zero character in front", "\0" + GOOD),
                changed("another protocol", "\"2.0\"", "\"1.0\""),
                changed("a number for the protocol", "\"2.0\"", "2.0"),
                changed("the protocol twice", "\"jsonrpc\"", "\"jsonrpc\":\"2.0\",\"jsonrpc\""),
                changed("the id twice", "\"id\":1", "\"id\":1,\"id\":2"),
                changed("a huge id", "\"id\":1", "\"id\":1" + "0".repeat(400)),
                changed("an id of many digits", "\"id\":1", "\"id\":" + "9".repeat(50_000)),
                changed("a long id", "\"id\":1", "\"id\":\"" + "x".repeat(100_000) + "\""),
                changed("a fraction as an id", "\"id\":1", "\"id\":1.5"),
                changed("an exponent as an id", "\"id\":1", "\"id\":1e999999999"),
                changed("null as an id", "\"id\":1", "\"id\":null"),
                changed("an object as an id", "\"id\":1", "\"id\":{\"a\":1}"),
                changed("half a character as an id", "\"id\":1", "\"id\":\"\\ud800\""),
                changed("a number as a method", "\"tools/call\"", "7"),
                changed("an empty method", "\"tools/call\"", "\"\""),
                changed("a long method", "\"tools/call\"", "\"" + "tools/".repeat(1_000) + "\""),
                changed("a result beside a method", "\"id\":1", "\"id\":1,\"result\":{}"),
                changed("a list of params", "\"params\":{", "\"params\":[{").withEnd("]}"),
                changed("an unknown version", "\"2026-07-28\"", "\"1999-01-01\""),
                changed("a number as a version", "\"2026-07-28\"", "20260728"),
                changed("deep arguments", "\"bad\"", "[".repeat(5_000) + "]".repeat(5_000)),
                changed("deep objects", "\"bad\"", "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000)),
                changed("deep metadata", "\"_meta\":{", "\"_meta\":{\"x\":" + "[".repeat(300) + "]".repeat(300) + ","),
                changed("a long number", "\"bad\"", "9".repeat(100_000)),
                changed("a long name", "\"text\"", "\"" + "t".repeat(100_000) + "\""),
                new Bad("an unsolicited response", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"),
                new Bad(
                        "an unsolicited error",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}"));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void a_bad_message_gets_one_clear_error(Bad bad) {
        Reply reply = agent.with("MCP-Protocol-Version", McpTestClient.MODERN)
                .with("Mcp-Method", "tools/call")
                .with("Mcp-Name", "say")
                .upload(
                        "/mcp",
                        "application/json",
                        BodyPublishers.ofByteArray(bad.body().getBytes(StandardCharsets.ISO_8859_1)));

        assertOneError(reply, 400);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void a_bad_message_in_a_session_gets_one_clear_error(Bad bad) {
        String session = McpTestClient.of(agent, Era.LEGACY).session();
        Reply reply = agent.with("Mcp-Session-Id", session)
                .upload(
                        "/mcp",
                        "application/json",
                        BodyPublishers.ofByteArray(bad.body()
                                .replace("io.modelcontextprotocol/protocolVersion", "nothing")
                                .getBytes(StandardCharsets.ISO_8859_1)));

        if (bad.what().endsWith("version")) {
            // Metadata of another era is ignored in a session, so this is a valid call.
            assertThat(SAID.remove("bad")).isOne();
        } else {
            assertOneError(reply, 400);
        }
    }

    private static void assertOneError(Reply reply, int status) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        JsonNode body = Json.MAPPER.readTree(reply.text());
        assertThat(body.path("jsonrpc").asString()).isEqualTo("2.0");
        assertThat(body.path("error").path("code").asInt()).isLessThan(0);
        assertThat(body.path("error").path("message").asString()).isNotBlank();
        assertThat(body.has("result")).isFalse();
        assertThat(reply.text())
                .hasSizeLessThan(2_000)
                .doesNotContain("Exception", "jackson", "dev.toolgate", "at java", key);
    }

    @Test
    void an_id_in_use_is_refused_and_the_first_request_continues() throws Exception {
        Client inSession =
                agent.with("Mcp-Session-Id", McpTestClient.of(agent, Era.LEGACY).session());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> first = callers.submit(() -> inSession.post("/mcp", call("slowly")));
            assertThat(STARTED.await(30, TimeUnit.SECONDS)).isTrue();

            JsonNode second =
                    McpTestClient.response(inSession.post("/mcp", call("bad")).text());
            RELEASED.countDown();

            assertThat(second.path("error").path("message").asString()).contains("use every id once");
            assertThat(McpTestClient.text(first.get())).isEqualTo("said slowly");
            assertThat(SAID).containsEntry("slowly", 1);
        }
    }

    private static String call(String text) {
        return """
                {"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                 "params": {"name": "say", "arguments": {"text": "%s"}}}""".formatted(text);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_body_that_is_too_large_is_refused_unread(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);
        Reply reply = client.call("say", "{\"text\": \"" + "x".repeat(MAX_BODY) + "\"}");

        assertOneError(reply, 413);
    }

    @Test
    void an_incomplete_body_times_out() throws Exception {
        try (Socket socket = post("Content-Length: " + GOOD.length())) {
            socket.getOutputStream().write(GOOD.substring(0, 100).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();

            // Other clients are served in the meantime.
            the_server_still_works();
            assertThat(firstLine(socket)).contains(" 408 ");
        }
    }

    @Test
    void an_endless_body_is_cut_off() throws Exception {
        try (Socket socket = post("Transfer-Encoding: chunked")) {
            OutputStream out = socket.getOutputStream();
            byte[] chunk = ("8000\r\n" + "x".repeat(0x8000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            int sent = 0;
            try {
                for (; sent < 4_000; sent++) {
                    out.write(chunk);
                }
            } catch (IOException cutOff) {
                // the server has closed the connection
            }
            assertThat(sent).isLessThan(4_000);
        }
    }

    private static Socket post(String length) throws IOException {
        URI url = URI.create(server.url());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort());
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write("""
                POST /mcp HTTP/1.1\r
                Host: %s:%d\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Accept: application/json, text/event-stream\r
                MCP-Protocol-Version: 2026-07-28\r
                Mcp-Method: tools/call\r
                Mcp-Name: say\r
                %s\r
                \r
                """.formatted(url.getHost(), url.getPort(), key, length).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\n';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }
}
