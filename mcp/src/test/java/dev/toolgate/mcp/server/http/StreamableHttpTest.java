package dev.toolgate.mcp.server.http;

import static dev.toolgate.mcp.server.http.McpTestServer.headers;
import static dev.toolgate.mcp.server.http.McpTestServer.json;
import static dev.toolgate.mcp.server.http.McpTestServer.modern;
import static dev.toolgate.mcp.server.http.McpTestServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Which requests are accepted, and the error of every other. */
class StreamableHttpTest {
    /** Stands for an id that is too long to write here. */
    private static final String LONG = "long";

    private static final String PING = "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}";

    private final McpTestServer server = new McpTestServer();

    @AfterEach
    void close() {
        server.close();
    }

    private static void assertRefused(HttpReply reply, int status, int code) {
        assertThat(status(reply)).isEqualTo(status);
        JsonNode error = json(reply).path("error");
        assertThat(error.path("code").asInt()).as(error.toString()).isEqualTo(code);
        assertThat(error.path("message").asString()).endsWith(".");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | -32700",
                "{ | -32700",
                "[] | -32600",
                "[{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}] | -32600",
                "{'jsonrpc': '2.0', 'id': 1, 'method': 'a', 'method': 'b'} | -32700",
                "{'jsonrpc': '2.0', 'id': {}, 'method': 'a'} | -32600",
                "{'jsonrpc': '1.0', 'id': 1, 'method': 'a'} | -32600"
            })
    void refuses_malformed_messages(String body, int code) {
        assertRefused(server.post(body), 400, code);
    }

    @Test
    void refuses_other_content_types_and_clients_that_do_not_accept_json() {
        assertRefused(server.post(PING, "Content-Type", "text/plain"), 415, -32600);
        assertRefused(server.post(PING, "Content-Type", ""), 415, -32600);
        assertRefused(server.post(PING, "Content-Type", "application/json; charset=utf-16"), 415, -32600);
        assertRefused(server.post(PING, "Accept", "text/html"), 406, -32600);
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.example, 403",
        "http://localhost.evil.example, 403",
        "null, 403",
        "file://, 403",
        "ftp://localhost, 403",
        "http://localhost:3000, 200",
        "http://[::1]:3000, 200",
        "https://good.example, 200",
        "HTTPS://GOOD.example, 200"
    })
    void checks_the_origin_first(String origin, int status) {
        String session = server.initialize("2025-11-25", "{}");

        assertThat(status(server.post(PING, "Mcp-Session-Id", session, "Origin", origin)))
                .isEqualTo(status);
    }

    @Test
    void other_http_methods_are_not_allowed() {
        assertThat(server.send("PUT", PING, new RecordingOutput()))
                .isInstanceOfSatisfying(HttpReply.Empty.class, empty -> {
                    assertThat(empty.status()).isEqualTo(405);
                    assertThat(empty.headers()).containsKey("Allow");
                });
        assertThat(status(server.send("GET", "", new RecordingOutput()))).isEqualTo(405);
        assertThat(status(server.send("DELETE", "", new RecordingOutput()))).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({"2025-06-18, 2025-06-18", "2025-11-25, 2025-11-25", "2024-11-05, 2025-11-25", "2026-07-28, 2025-11-25"})
    void initialize_agrees_on_a_revision_of_its_era(String asked, String agreed) {
        HttpReply reply = server.post("{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': "
                + "{'protocolVersion': '" + asked + "', 'capabilities': {}, 'clientInfo': {}}}");

        assertThat(json(reply).path("result").path("protocolVersion").asString())
                .isEqualTo(agreed);
    }

    @Test
    void what_a_session_keeps_of_its_client_is_bounded() {
        String many = "[]" + ",[]".repeat(10_000);

        HttpReply reply = server.post("{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': "
                + "{'protocolVersion': '2025-11-25', 'capabilities': {'experimental': {'x': [" + many
                + "]}}, 'clientInfo': {}}}");

        assertRefused(reply, 200, -32602);
        assertThat(json(reply).path("error").path("message").asString()).contains("capabilities", "16 KB");
        String session = server.initialize("2025-11-25", "{'experimental': {'x': '" + "y".repeat(15_000) + "'}}");
        HttpReply subscribed = server.post(
                "{'jsonrpc': '2.0', 'id': 2, 'method': 'resources/subscribe', 'params': {'uri': 'x://"
                        + "y".repeat(2_048) + "'}}",
                "Mcp-Session-Id",
                session);
        assertRefused(subscribed, 200, -32602);
        assertThat(json(subscribed).path("error").path("message").asString()).contains("uri", "2048");
    }

    @Test
    void a_stream_for_a_resource_with_a_very_long_uri_is_refused() {
        CompletableFuture<HttpReply> reply = server.start(
                "POST",
                modern(
                        "subscriptions/listen",
                        "'notifications': {'resourceSubscriptions': ['x://" + "y".repeat(2_048) + "']}",
                        "{}"),
                new RecordingOutput(),
                headers("subscriptions/listen", ""));

        assertRefused(reply.orTimeout(20, TimeUnit.SECONDS).join(), 400, -32602);
    }

    @Test
    void a_request_without_a_session_is_told_to_initialize() {
        assertRefused(server.post(PING), 400, -32600);
        assertThat(json(server.post(PING)).path("error").path("message").asString())
                .contains("initialize");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-such-session", LONG, " ", "../../etc/passwd"})
    void a_session_that_does_not_exist_is_not_found(String id) {
        HttpReply reply = server.post(PING, "Mcp-Session-Id", id.equals(LONG) ? "x".repeat(10_000) : id);

        assertRefused(reply, 404, -32600);
    }

    @Test
    void another_callers_session_is_not_found() {
        String session = server.initialize("2025-11-25", "{}", "X-Caller", "alice");

        for (String method : new String[] {"POST", "GET", "DELETE"}) {
            HttpReply reply =
                    server.send(method, PING, new RecordingOutput(), "Mcp-Session-Id", session, "X-Caller", "bob");
            assertRefused(reply, 404, -32600);
        }
        assertThat(status(server.post(PING, "Mcp-Session-Id", session, "X-Caller", "alice")))
                .isEqualTo(200);
    }

    @Test
    void a_deleted_session_is_not_found() {
        String session = server.initialize("2025-11-25", "{}");

        assertThat(status(server.send("DELETE", "", new RecordingOutput(), "Mcp-Session-Id", session)))
                .isEqualTo(204);
        assertRefused(server.post(PING, "Mcp-Session-Id", session), 404, -32600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1999-01-01", "2026-07-28", "nonsense"})
    void a_session_does_not_change_its_era(String version) {
        String session = server.initialize("2025-11-25", "{}");

        assertRefused(server.post(PING, "Mcp-Session-Id", session, "MCP-Protocol-Version", version), 400, -32600);
    }

    @Test
    void headers_of_the_modern_era_are_ignored_in_a_session() {
        String session = server.initialize("2025-06-18", "{}");

        HttpReply reply =
                server.post(PING, "Mcp-Session-Id", session, "Mcp-Method", "tools/call", "Mcp-Name", "anything");

        assertThat(status(reply)).isEqualTo(200);
        assertThat(json(reply).path("result").isEmpty()).isTrue();
    }

    @Test
    void notifications_are_accepted_without_a_body() {
        String session = server.initialize("2025-11-25", "{}");
        String initialized = "{'jsonrpc': '2.0', 'method': 'notifications/initialized'}";
        String unknown = "{'jsonrpc': '2.0', 'method': 'notifications/unheard-of', 'params': {'a': 1}}";

        assertThat(server.post(initialized, "Mcp-Session-Id", session)).isInstanceOf(HttpReply.Empty.class);
        assertThat(status(server.post(unknown, "Mcp-Session-Id", session))).isEqualTo(202);
        assertThat(status(server.post(unknown))).isEqualTo(202);
    }

    @Test
    void an_unsolicited_response_is_refused() {
        String session = server.initialize("2025-11-25", "{}");
        String response = "{'jsonrpc': '2.0', 'id': 'q1', 'result': {}}";
        String failure = "{'jsonrpc': '2.0', 'error': {'code': 1, 'message': 'no'}}";

        assertRefused(server.post(response, "Mcp-Session-Id", session), 400, -32600);
        assertRefused(server.post(failure, "Mcp-Session-Id", session), 400, -32600);
        assertRefused(server.post(response), 400, -32600);
    }

    @Test
    void unknown_methods_and_invalid_parameters_have_distinct_errors() {
        String session = server.initialize("2025-11-25", "{}");
        String noName = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {}}";
        String badArguments =
                "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'greet', 'arguments': []}}";
        String noMethod = "{'jsonrpc': '2.0', 'id': 1, 'method': 'no/such'}";

        assertRefused(server.post(noName, "Mcp-Session-Id", session), 200, -32602);
        assertRefused(server.post(badArguments, "Mcp-Session-Id", session), 200, -32602);
        assertRefused(server.post(noMethod, "Mcp-Session-Id", session), 200, -32601);
    }

    @Test
    void methods_of_one_era_do_not_exist_in_the_other() {
        String session = server.initialize("2025-06-18", "{}");
        String discover = "{'jsonrpc': '2.0', 'id': 1, 'method': 'server/discover'}";
        String tasks = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tasks/get', 'params': {'taskId': 'x'}}";

        assertRefused(server.post(discover, "Mcp-Session-Id", session), 200, -32601);
        assertRefused(server.post(tasks, "Mcp-Session-Id", session), 200, -32601);
        for (String method : new String[] {"ping", "initialize", "logging/setLevel", "tasks/result", "tasks/list"}) {
            assertRefused(server.post(modern(method, "", "{}"), headers(method, "")), 404, -32601);
        }
    }

    @Test
    void a_modern_request_needs_its_metadata() {
        String without = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list', 'params': {}}";
        String half = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list', 'params': {'_meta': "
                + "{'io.modelcontextprotocol/protocolVersion': '2026-07-28'}}}";
        String odd = "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list', 'params': {'_meta': "
                + "{'io.modelcontextprotocol/protocolVersion': 5, 'io.modelcontextprotocol/clientCapabilities': {}}}}";

        for (String body : new String[] {without, half, odd}) {
            assertRefused(server.post(body, headers("tools/list", "")), 400, -32602);
        }
    }

    @Test
    void the_error_for_an_unsupported_version_lists_supported_ones() {
        String body = modern("tools/list", "", "{}").replace("2026-07-28", "2031-01-01");

        HttpReply reply = server.post(body, "MCP-Protocol-Version", "2031-01-01", "Mcp-Method", "tools/list");

        assertRefused(reply, 400, -32022);
        assertThat(json(reply).path("error").path("data").toString())
                .isEqualTo(
                        "{\"supported\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\"],\"requested\":\"2031-01-01\"}");
    }

    @Test
    void a_header_that_contradicts_the_body_is_refused() {
        String call = modern("tools/call", "'name': 'greet', 'arguments': {}", "{}");

        assertRefused(server.post(call, headers("tools/list", "greet")), 400, -32020);
        assertRefused(server.post(call, headers("tools/call", "other")), 400, -32020);
        assertRefused(server.post(call, headers("tools/call", "")), 400, -32020);
        assertRefused(server.post(call, headers("", "greet")), 400, -32020);
        assertRefused(
                server.post(call, "MCP-Protocol-Version", "", "Mcp-Method", "tools/call", "Mcp-Name", "greet"),
                400,
                -32020);
        assertThat(status(server.post(call, headers("tools/call", "=?base64?Z3JlZXQ=?="))))
                .isEqualTo(200);
        assertThat(status(server.post(call, headers("tools/call", "  greet ")))).isEqualTo(200);
    }

    @Test
    void a_mirrored_argument_must_equal_its_header() {
        String call = modern(
                "tools/call", "'name': 'test_mirrored_arguments', 'arguments': {'region': 'a b', 'count': 42}", "{}");
        String[] base = headers("tools/call", "test_mirrored_arguments");

        assertThat(status(server.post(call, with(base, "a b", "42")))).isEqualTo(200);
        assertThat(status(server.post(call, with(base, "=?base64?YSBi?=", "42.0"))))
                .isEqualTo(200);
        assertRefused(server.post(call, with(base, "a b", "")), 400, -32020);
        assertRefused(server.post(call, with(base, "a b", "43")), 400, -32020);
        assertRefused(server.post(call, with(base, "A B", "42")), 400, -32020);
        String none = modern("tools/call", "'name': 'test_mirrored_arguments'", "{}");
        assertRefused(server.post(none, with(base, "a b", "")), 400, -32020);
    }

    private static String[] with(String[] base, String region, String count) {
        String[] all = Arrays.copyOf(base, base.length + 4);
        all[base.length] = "Mcp-Param-Region";
        all[base.length + 1] = region;
        all[base.length + 2] = "mcp-param-count";
        all[base.length + 3] = count;
        return all;
    }

    @Test
    void a_modern_result_has_its_type_and_server_info() {
        JsonNode result = json(server.post(modern("tools/list", "", "{}"), headers("tools/list", "")))
                .path("result");

        assertThat(result.path("resultType").asString()).isEqualTo("complete");
        assertThat(result.path("cacheScope").asString()).isEqualTo("public");
        assertThat(result.path("_meta")
                        .path("io.modelcontextprotocol/serverInfo")
                        .path("name")
                        .asString())
                .isEqualTo("conformance-fixture");
        String session = server.initialize("2025-11-25", "{}");
        JsonNode legacy = json(server.post(
                        "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list'}", "Mcp-Session-Id", session))
                .path("result");
        assertThat(legacy.propertyNames()).containsExactly("tools");
    }

    @Test
    void asking_a_client_without_elicitation_is_an_error() {
        String call = modern("tools/call", "'name': 'test_elicitation', 'arguments': {'message': 'x'}", "{}");

        HttpReply reply = server.post(call, headers("tools/call", "test_elicitation"));

        assertRefused(reply, 400, -32021);
        assertThat(json(reply).path("error").path("data").toString())
                .isEqualTo("{\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}}}");
    }
}
