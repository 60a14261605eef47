package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class LimitsTest {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String MIB = "x".repeat(1 << 20);

    private final AtomicInteger handled = new AtomicInteger();
    private final LiveServer server = new LiveServer(routes());

    private Route[] routes() {
        return new Route[] {
            Route.post("/echo", RouteAccess.open(), Dialect.STANDARD, this::size),
            Route.post("/large", RouteAccess.open(), Dialect.STANDARD, this::size)
                    .withMaxBodyBytes(16 << 20),
            Route.get("/x/{name}", RouteAccess.open(), Dialect.STANDARD, _ -> Response.empty()),
            Route.get("/x", RouteAccess.open(), Dialect.STANDARD, _ -> Response.empty()),
        };
    }

    private Response size(Exchange exchange) {
        handled.incrementAndGet();
        return Response.json(JsonNodeFactory.instance
                .objectNode()
                .put("size", exchange.json().path("a").asString().length()));
    }

    @AfterEach
    void stop() {
        assertThat(server.get("/x").statusCode())
                .as("the server is alive afterwards")
                .isEqualTo(204);
        server.close();
    }

    private static String post(String path, int length, String... headers) {
        return String.join(
                                "\r\n",
                                "POST " + path + " HTTP/1.1",
                                "Host: x",
                                "Content-Type: application/json",
                                "Content-Length: " + length,
                                String.join("\r\n", headers))
                        .stripTrailing()
                + "\r\n\r\n";
    }

    private static String body(int size) {
        return "{\"a\":\"" + "x".repeat(size - 8) + "\"}";
    }

    @Test
    void a_body_of_exactly_the_limit_is_accepted() {
        assertThat(server.post("/echo", body(1 << 20)).body()).isEqualTo("{\"size\":1048568}");
        assertThat(server.post("/echo", body((1 << 20) + 1)).statusCode()).isEqualTo(413);
        assertThat(server.post("/large", body(16 << 20)).body()).isEqualTo("{\"size\":16777208}");
    }

    @Test
    void a_body_that_is_too_large_gets_413_even_if_sent_completely() {
        HttpResponse<String> response = server.post("/echo", body(20_000_000));
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(LiveServer.error(response).path("message").asString())
                .isEqualTo("The body is larger than 1048576 bytes, the limit here.");
        assertThat(response.headers().firstValue("Connection")).contains("close");
    }

    @Test
    void a_chunked_body_that_is_too_large_gets_413() {
        HttpResponse<String> response = server.send(server.request("/echo")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(body(20_000_000).getBytes(StandardCharsets.UTF_8)))));
        assertThat(response.statusCode()).isEqualTo(413);
    }

    @Test
    void a_large_body_is_refused_as_soon_as_it_is_announced() {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/echo", 20000000));
            assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void a_client_that_reads_after_sending_everything_gets_its_response() {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/echo", 20_000_000)).send(new byte[20_000_000]);
            assertThat(raw.readAll()).startsWith("HTTP/1.1 413").endsWith("}}");
        }
    }

    @Test
    void an_expect_header_for_a_large_body_gets_413() {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/echo", 20000000, "Expect: 100-continue"));
            assertThat(raw.readAll()).startsWith("HTTP/1.1 413").doesNotContain("100 Continue");
        }
    }

    @Test
    void an_expect_header_for_a_small_body_gets_100() {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/echo", 9, "Expect: 100-continue"));
            assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");
            raw.send("{\"a\":\"b\"}");
            assertThat(raw.readUntil("}")).startsWith("HTTP/1.1 200").endsWith("{\"size\":1}");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 150})
    void too_many_headers_are_refused(int count) {
        try (RawConnection raw = server.raw()) {
            raw.send("GET /x HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n".repeat(count - 1) + "\r\n");
            assertThat(raw.readUntil("}}")).startsWith("HTTP/1.1 431").contains("\"code\":\"INVALID_REQUEST\"");
        }
    }

    @Test
    void a_flood_of_headers_is_refused() {
        try (RawConnection raw = server.raw()) {
            raw.send("GET /x HTTP/1.1\r\nHost: x\r\n");
            int taken = 0;
            while (taken < 10_000 && raw.takes("flood-" + taken + ": " + "x".repeat(1_000) + "\r\n")) {
                taken++;
            }
            assertThat(taken).isLessThan(10_000);
        }
    }

    @Test
    void headers_that_are_too_large_are_refused_in_the_error_shape() {
        try (RawConnection raw = server.raw()) {
            raw.send("GET /x HTTP/1.1\r\nHost: x\r\nlarge: " + "x".repeat(16 << 10) + "\r\n\r\n");
            assertThat(raw.readAll())
                    .startsWith("HTTP/1.1 431")
                    .contains("\"message\":\"The headers are too large.\"")
                    .doesNotContain("Jetty")
                    .doesNotContain("Server:")
                    .doesNotContain("<html");
        }
    }

    @Test
    void addresses_that_are_too_long_are_refused_in_the_error_shape() {
        HttpResponse<String> response = server.get("/x?" + "y".repeat(9_000));
        assertThat(response.statusCode()).isEqualTo(414);
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("INVALID_REQUEST");
        try (RawConnection raw = server.raw()) {
            raw.send("GET /" + "y".repeat(17 << 10) + " HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 414").contains("\"code\":\"INVALID_REQUEST\"");
        }
        assertThat(server.get("/x/" + "y".repeat(513)).statusCode()).isEqualTo(400);
        assertThat(server.get("/x" + "/y".repeat(40)).statusCode()).isEqualTo(400);
    }

    @Test
    void requests_over_the_limit_get_503() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(2);
        CountDownLatch answer = new CountDownLatch(1);
        HttpSettings settings = LiveServer.bounded(1_000, 2);
        try (LiveServer small =
                new LiveServer(settings, Route.get("/slow", RouteAccess.open(), Dialect.STANDARD, exchange -> {
                    busy.countDown();
                    answer.await();
                    return Response.empty();
                }))) {
            CompletableFuture<HttpResponse<String>> one = CompletableFuture.supplyAsync(() -> small.get("/slow"));
            CompletableFuture<HttpResponse<String>> two = CompletableFuture.supplyAsync(() -> small.get("/slow"));
            busy.await();
            HttpResponse<String> third = small.get("/slow");
            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.headers().firstValue("Retry-After")).contains("1");
            assertThat(LiveServer.error(third).path("code").asString()).isEqualTo("SERVICE_UNAVAILABLE");
            answer.countDown();
            assertThat(one.join().statusCode()).isEqualTo(204);
            assertThat(two.join().statusCode()).isEqualTo(204);
            assertThat(small.get("/slow").statusCode()).isEqualTo(204);
        }
    }

    @Test
    void connections_over_the_limit_wait_until_one_closes() {
        try (LiveServer small = new LiveServer(
                LiveServer.bounded(2, 1_000),
                Route.get("/x", RouteAccess.open(), Dialect.STANDARD, _ -> Response.empty()))) {
            try (RawConnection one = small.raw();
                    RawConnection two = small.raw()) {
                assertThat(one.send(GET).readUntil("\r\n\r\n")).startsWith("HTTP/1.1 204");
                assertThat(two.send(GET).readUntil("\r\n\r\n")).startsWith("HTTP/1.1 204");
                assertThat(isServed(small)).isFalse();
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> isServed(small));
        }
    }

    private static boolean isServed(LiveServer server) {
        try (RawConnection connection = server.raw()) {
            return connection.takes(GET)
                    && connection.readAll(Duration.ofMillis(200)).startsWith("HTTP/1.1 204");
        }
    }

    @Test
    void large_responses_are_complete() {
        try (LiveServer large = new LiveServer(
                LiveServer.defaults(),
                Route.get(
                        "/large",
                        RouteAccess.open(),
                        Dialect.STANDARD,
                        _ -> Response.json(JsonNodeFactory.instance.objectNode().put("a", MIB.repeat(8)))))) {
            assertThat(large.get("/large").body()).hasSize((8 << 20) + 8);
        }
    }
}
