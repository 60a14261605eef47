package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.PathPattern;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.routing.Routes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class RoutingTest {
    private static Route says(String path, String what) {
        return Route.get(path, RouteAccess.open(), Dialect.STANDARD, exchange -> says(what));
    }

    private static Response says(String what) {
        return Response.json(JsonNodeFactory.instance.objectNode().put("said", what));
    }

    private static Route echoes(String path, String name) {
        return Route.get(path, RouteAccess.open(), Dialect.STANDARD, exchange -> says(exchange.path(name)));
    }

    @Test
    void finds_routes_by_exact_path_and_prefers_literal_parts() {
        try (LiveServer server = new LiveServer(
                says("/", "root"),
                says("/agents", "list"),
                echoes("/agents/{agent_id}", "agent_id"),
                says("/agents/new", "new"),
                says("/agents/new/form", "form"),
                echoes("/agents/{agent_id}/tools", "agent_id"))) {
            assertThat(server.get("/").body()).isEqualTo("{\"said\":\"root\"}");
            assertThat(server.get("/agents").body()).contains("list");
            assertThat(server.get("/agents/new").body()).contains("\"new\"");
            assertThat(server.get("/agents/dev_1").body()).contains("dev_1");
            assertThat(server.get("/agents/new/tools").body()).contains("\"new\"");
            assertThat(server.get("/agents/a%20b%C3%A9").body()).contains("a bé");
        }
    }

    @Test
    void an_encoded_slash_is_allowed_only_where_the_route_says_so() {
        try (LiveServer server = new LiveServer(
                echoes("/tools/{tool_name}", "tool_name").withSlashesIn("tool_name"),
                echoes("/{agent_id}/tools/{tool_name}", "agent_id").withSlashesIn("tool_name"),
                says("/tools/secret/plan", "plan"))) {
            assertThat(server.get("/tools/files%2Fread").body()).contains("files/read");
            assertThat(server.get("/tools/secret%2Fplan").body()).contains("secret/plan");
            assertThat(server.get("/me/tools/a%2Fb").body()).contains("me");
            assertThat(server.get("/me%2Fyou/tools/a").statusCode()).isEqualTo(400);
            assertThat(server.get("/a%2Fb/tools/a%2Fb").statusCode()).isEqualTo(400);
            assertThat(server.get("/tools%2Fsecret/plan").statusCode()).isEqualTo(400);
            assertThat(server.get("/tools/%2e%2e%2Fread").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void responds_with_the_standard_headers_and_no_server_name() {
        try (LiveServer server = new LiveServer(says("/x", "x"))) {
            HttpResponse<String> response = server.get("/x");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(response.headers().firstValue("Date")).isPresent();
            assertThat(response.headers().firstValue("Content-Length")).contains("12");
            assertThat(response.headers().map()).doesNotContainKeys("server", "x-powered-by");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/y", "/x/", "/x/y", "/X", "/x/y/z"})
    void unknown_paths_are_not_found_in_the_error_shape(String path) {
        try (LiveServer server = new LiveServer(says("/x", "x"), says("/x/{a}/b/c", "c"))) {
            if (path.equals("/x/y")) {
                assertThat(server.get("/x/y/b/c").statusCode()).isEqualTo(200);
            }
            HttpResponse<String> response = server.get(path);
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("INVALID_REQUEST");
            assertThat(LiveServer.error(response).path("retryable").asBoolean(true))
                    .isFalse();
            assertThat(LiveServer.error(response).path("correlation_id").asString())
                    .isEqualTo(response.headers().firstValue("X-Correlation-ID").orElseThrow());
        }
    }

    @Test
    void other_methods_are_refused_with_those_allowed() {
        Route reading = says("/x", "read");
        Route writing = Route.put("/x", RouteAccess.open(), Dialect.STANDARD, _ -> Response.empty());
        try (LiveServer server = new LiveServer(reading, writing)) {
            HttpResponse<String> post = server.post("/x", "{}");
            assertThat(post.statusCode()).isEqualTo(405);
            assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD, PUT, OPTIONS");
            assertThat(LiveServer.error(post).path("code").asString()).isEqualTo("INVALID_REQUEST");

            HttpResponse<String> options = server.send(server.request("/x").method("OPTIONS", BodyPublishers.noBody()));
            assertThat(options.statusCode()).isEqualTo(204);
            assertThat(options.headers().firstValue("Allow")).contains("GET, HEAD, PUT, OPTIONS");

            HttpResponse<String> head = server.send(server.request("/x").HEAD());
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().firstValue("Content-Length")).contains("15");
            assertThat(head.body()).isEmpty();

            HttpResponse<String> put = server.send(server.request("/x").PUT(BodyPublishers.noBody()));
            assertThat(put.statusCode()).isEqualTo(204);
        }
    }

    @Test
    void the_same_routes_are_on_every_port() throws IOException, InterruptedException {
        HttpSettings settings = HttpSettings.on("127.0.0.1", List.of(0, 0));
        try (LiveServer server = new LiveServer(settings, says("/x", "x"));
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(server.server.ports()).hasSize(2).doesNotHaveDuplicates();
            for (int port : server.server.ports()) {
                URI uri = URI.create("http://127.0.0.1:" + port + "/x");
                assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                                .body())
                        .contains("\"x\"");
            }
        }
    }

    @Test
    void duplicate_routes_are_refused() {
        assertThatThrownBy(() -> new Routes(List.of(echoes("/a/{x}", "x"), echoes("/a/{y}", "y"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Two routes are the same: GET /a/{y} and /a/{x}.");
    }

    @Test
    void the_routes_can_be_listed() {
        List<Route> routes = new ArrayList<>(List.of(says("/b", "b"), says("/a/{x}", "a")));
        assertThat(new Routes(routes).all()).isEqualTo(routes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a//b", "/a/", "/{}", "/{a", "/x{a}", "/{a}/{a}"})
    void invalid_patterns_are_refused(String pattern) {
        assertThatThrownBy(() -> PathPattern.of(pattern)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "/x?limit=5&agent_id=a%20b+c, '5 a b c'",
        "/x?agent_id=%C3%A9&, '-1 é'",
        "/x, '-1 nobody'",
    })
    void reads_declared_query_parameters(String path, String expected) {
        try (LiveServer server = new LiveServer(listing())) {
            assertThat(server.get(path).body()).contains(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/x?limt=5, 'Unknown query parameter ''limt''; known ones are [agent_id, limit].'",
        "/x?limit=5&limit=6, 'The query parameter ''limit'' occurs more than once.'",
        "/x?limit=5&li%6Dit=6, 'The query parameter ''limit'' occurs more than once.'",
        "/x?limit=, 'The query parameter ''limit'' has no value; leave it out instead.'",
        "/x?limit=0, 'The query parameter ''limit'' must be a whole number from 1 to 100.'",
        "/x?limit=5x, 'The query parameter ''limit'' must be a whole number from 1 to 100.'",
        "/x?limit=99999999999, 'The query parameter ''limit'' must be a whole number from 1 to 100.'",
    })
    void other_query_parameters_are_refused_by_name(String path, String message) {
        try (LiveServer server = new LiveServer(listing())) {
            HttpResponse<String> response = server.get(path);
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(LiveServer.error(response).path("message").asString()).isEqualTo(message);
        }
    }

    private static Route listing() {
        return Route.get(
                        "/x",
                        RouteAccess.open(),
                        Dialect.STANDARD,
                        exchange ->
                                says(exchange.query().number("limit", 1, 100).orElse(-1) + " "
                                        + exchange.query().text("agent_id").orElse("nobody")))
                .withQuery("agent_id", "limit");
    }
}
