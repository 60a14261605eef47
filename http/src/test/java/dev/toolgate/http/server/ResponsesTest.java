package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import tools.jackson.databind.node.JsonNodeFactory;

class ResponsesTest {
    private static final Dialect FLAT = new Dialect(
            "flat",
            error -> JsonNodeFactory.instance.objectNode().put("failed", error.code() + ": " + error.message()));

    record Greeting(String helloWorld, List<Integer> someNumbers) {}

    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final LiveServer server = new LiveServer(
            LiveServer.defaults(),
            (method, route, status, nanoseconds) ->
                    ended.add(method + " " + route + " " + status + (nanoseconds > 0 ? "" : " in no time")),
            get("/record", _ -> Response.json(201, new Greeting("hi", List.of(1, 2)))),
            get(
                    "/page",
                    _ -> new Response.Bytes(
                            200,
                            "text/html;charset=utf-8",
                            "<p>é</p>".getBytes(StandardCharsets.UTF_8),
                            Map.of("Cache-Control", "max-age=60"))),
            get(
                    "/stream",
                    _ -> Response.stream("text/csv", out -> {
                        for (int i = 0; i < 100_000; i++) {
                            out.write((i + "\n").getBytes(StandardCharsets.UTF_8));
                        }
                    })),
            get(
                    "/broken-stream",
                    _ -> Response.stream("text/csv", out -> {
                        out.write(new byte[100_000]);
                        throw new IllegalStateException("the database went away: secret");
                    })),
            get(
                    "/stillborn-stream",
                    _ -> Response.stream("text/csv", out -> {
                        out.write(new byte[100]);
                        throw new Unavailable("the database went away", null);
                    })),
            get("/failing/{kind}", exchange -> {
                throw switch (exchange.path("kind")) {
                    case "defect" -> new IllegalStateException("secret detail");
                    case "error" -> new StackOverflowError("secret detail");
                    case "unavailable" -> new Unavailable("secret detail", null);
                    case "conflict" -> HttpFailure.conflict("The agent exists already.");
                    case "tool" -> HttpFailure.of(ErrorCode.TOOL_NOT_FOUND, "There is no such tool.");
                    default -> new BadRequest("This makes no sense.");
                };
            }),
            get(
                    "/logged",
                    exchange -> Response.json(JsonNodeFactory.instance
                            .objectNode()
                            .put("mdc", MDC.get("correlation_id"))
                            .put("id", exchange.correlationId()))),
            Route.get("/flat/{x}", RouteAccess.anyPrincipal(), FLAT, _ -> Response.empty()));

    @FunctionalInterface
    private interface Failing {
        Response handle(Exchange exchange) throws Throwable;
    }

    private static Route get(String path, Failing handler) {
        return Route.get(path, RouteAccess.open(), Dialect.STANDARD, exchange -> {
            try {
                return handler.handle(exchange);
            } catch (Error error) {
                throw error;
            } catch (Exception exception) {
                throw exception;
            } catch (Throwable other) {
                throw new IllegalStateException(other);
            }
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void records_are_written_in_snake_case() {
        HttpResponse<String> response = server.get("/record");
        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.body()).isEqualTo("{\"hello_world\":\"hi\",\"some_numbers\":[1,2]}");
    }

    @Test
    void pages_are_sent_with_their_own_headers() {
        HttpResponse<String> response = server.get("/page");
        assertThat(response.body()).isEqualTo("<p>é</p>");
        assertThat(response.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=60");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    void streams_are_complete() {
        HttpResponse<String> response = server.get("/stream");
        assertThat(response.headers().firstValue("Content-Type")).contains("text/csv");
        assertThat(response.body()).hasLineCount(100_000).endsWith("99999\n");
        assertThat(server.send(server.request("/stream").HEAD()).headers().firstValue("Content-Type"))
                .contains("text/csv");
    }

    @Test
    void a_failed_stream_does_not_look_complete() {
        try (RawConnection raw = server.raw()) {
            String answer =
                    raw.send("GET /broken-stream HTTP/1.1\r\nHost: x\r\n\r\n").readAll();
            assertThat(answer)
                    .startsWith("HTTP/1.1 200")
                    .contains("Transfer-Encoding: chunked")
                    .doesNotEndWith("\r\n0\r\n\r\n")
                    .doesNotContain("secret");
        }
        assertThat(server.get("/record").statusCode()).isEqualTo(201);
    }

    @Test
    void a_stream_that_fails_before_the_first_byte_is_an_error() {
        HttpResponse<String> response = server.get("/stillborn-stream");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("SERVICE_UNAVAILABLE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"defect", "error"})
    void unexpected_errors_reveal_only_the_correlation_id(String kind) {
        HttpResponse<String> response = server.get("/failing/" + kind);
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("INTERNAL_ERROR");
        assertThat(response.body())
                .doesNotContain("secret")
                .doesNotContain("Exception")
                .doesNotContain("java");
        assertThat(LiveServer.error(response).path("correlation_id").asString())
                .isEqualTo(response.headers().firstValue("X-Correlation-ID").orElseThrow());
    }

    @Test
    void failures_have_their_statuses_and_codes() {
        HttpResponse<String> unavailable = server.get("/failing/unavailable");
        assertThat(unavailable.statusCode()).isEqualTo(503);
        assertThat(unavailable.headers().firstValue("Retry-After")).contains("1");
        assertThat(LiveServer.error(unavailable).path("retryable").asBoolean()).isTrue();
        assertThat(unavailable.body()).doesNotContain("secret");

        HttpResponse<String> conflict = server.get("/failing/conflict");
        assertThat(conflict.statusCode()).isEqualTo(409);
        assertThat(LiveServer.error(conflict).path("message").asString()).isEqualTo("The agent exists already.");

        HttpResponse<String> tool = server.get("/failing/tool");
        assertThat(tool.statusCode()).isEqualTo(404);
        assertThat(LiveServer.error(tool).path("code").asString()).isEqualTo("TOOL_NOT_FOUND");
        assertThat(LiveServer.error(tool).path("remediation").asString())
                .isEqualTo(ErrorCode.TOOL_NOT_FOUND.remediation());

        assertThat(server.get("/failing/other").statusCode()).isEqualTo(400);
    }

    @Test
    void a_dialect_has_its_own_error_shape_for_everything_on_its_paths() {
        assertThat(server.get("/flat/x").body()).isEqualTo("{\"failed\":\"UNAUTHORIZED: The key is unknown.\"}");
        assertThat(server.post("/flat/x", "{}").body())
                .isEqualTo("{\"failed\":\"INVALID_REQUEST: This path takes GET, HEAD, OPTIONS.\"}");
        assertThat(server.send(server.request("/flat/x?y=1").header("Authorization", "Bearer admin"))
                        .body())
                .startsWith("{\"failed\":\"INVALID_REQUEST: Unknown query parameter 'y'");
    }

    @Test
    void the_clients_correlation_id_is_kept() {
        for (String header : List.of("X-Correlation-ID", "X-Request-ID")) {
            HttpResponse<String> response =
                    server.send(server.request("/logged").header(header, "order 66"));
            assertThat(response.headers().firstValue("X-Correlation-ID")).contains("order 66");
            assertThat(response.body()).isEqualTo("{\"mdc\":\"order 66\",\"id\":\"order 66\"}");
        }
    }

    @Test
    void ids_unfit_for_logs_are_replaced() {
        for (String id : List.of("x".repeat(101), "\u00e9", " ", "a\tb")) {
            try (RawConnection raw = server.raw()) {
                String answer = raw.send("GET /logged HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Correlation-ID: "
                                + id + "\r\n\r\n")
                        .readAll();
                assertThat(answer).containsPattern("X-Correlation-ID: [0-9a-f]{32}\r\n");
            }
        }
    }

    @Test
    void every_request_is_observed_by_the_pattern_of_its_route() {
        server.get("/failing/conflict");
        awaitObserved("GET /failing/{kind} 409");
        server.get("/nowhere/secret");
        awaitObserved("GET (unknown) 404");
        server.get("/stream");
        awaitObserved("GET /stream 200");
        server.send(server.request("/record").method("BREW", BodyPublishers.noBody()));
        awaitObserved("OTHER /record 405");
        try (RawConnection raw = server.raw()) {
            raw.send("nonsense\r\n\r\n").readAll();
        }
        awaitObserved("OTHER (broken) 400");
    }

    // The observer is notified after the response is sent, when the client may already have sent its next request.
    private void awaitObserved(String request) {
        await().untilAsserted(() -> assertThat(ended).containsExactly(request));
        ended.clear();
    }
}
