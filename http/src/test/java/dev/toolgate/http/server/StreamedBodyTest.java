package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class StreamedBodyTest {
    private final CountDownLatch readOn = new CountDownLatch(1);
    private final CountDownLatch readFirst = new CountDownLatch(1);
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger clientsGone = new AtomicInteger();
    private final LiveServer server = new LiveServer(LiveServer.quick(), routes());

    private Route[] routes() {
        return new Route[] {
            Route.post("/count", RouteAccess.open(), Dialect.STANDARD, this::count),
            Route.post("/late", RouteAccess.open(), Dialect.STANDARD, this::countLate),
            Route.get("/much", RouteAccess.open(), Dialect.STANDARD, this::much),
        };
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Response count(Exchange exchange) throws IOException {
        handled.incrementAndGet();
        try (InputStream bytes = exchange.bytes()) {
            return Response.json(JsonNodeFactory.instance
                    .objectNode()
                    .put("announced", exchange.announcedBytes())
                    .put("size", bytes.transferTo(OutputStream.nullOutputStream())));
        }
    }

    private Response countLate(Exchange exchange) throws Exception {
        try (InputStream bytes = exchange.bytes()) {
            assertThat(bytes.read()).isEqualTo('x');
            readFirst.countDown();
            readOn.await();
            return Response.json(JsonNodeFactory.instance
                    .objectNode()
                    .put("size", 1 + bytes.transferTo(OutputStream.nullOutputStream())));
        }
    }

    private Response much(Exchange exchange) {
        return new Response.Stream(
                200, "application/octet-stream", Map.of("Content-Length", Long.toString(1L << 30)), out -> {
                    byte[] block = new byte[1 << 20];
                    try {
                        for (int i = 0; i < 1024; i++) {
                            out.write(block);
                        }
                    } catch (IOException gone) {
                        clientsGone.incrementAndGet();
                        throw gone;
                    }
                });
    }

    private static String post(String path, long length) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void a_streamed_body_may_exceed_the_json_limits() {
        try (LiveServer withDefaults = new LiveServer(routes());
                RawConnection raw = withDefaults.raw()) {
            raw.send(post("/count", 40 << 20));
            byte[] block = new byte[1 << 20];
            for (int i = 0; i < 40; i++) {
                raw.send(block);
            }
            assertThat(raw.readUntil("}")).contains("200 OK", "\"announced\":41943040", "\"size\":41943040");
            raw.send(
                    "POST /count HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
            assertThat(raw.readUntil("}")).contains("200 OK", "\"announced\":-1", "\"size\":5");
        }
    }

    @Test
    void a_stalled_or_truncated_body_is_refused() {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/count", 9) + "four");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 408").contains("The body did not arrive in time.");
        }
        try (RawConnection raw = server.raw()) {
            raw.send(post("/count", 9) + "four");
            raw.endOutput();
            assertThat(raw.readAll()).startsWith("HTTP/1.1 400").contains("ended early");
        }
        assertThat(handled).hasValue(2);
    }

    @Test
    void a_trickling_body_times_out() {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/count", 1_000_000));
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !raw.takes("x"));
        }
    }

    @Test
    void handler_time_does_not_count_toward_the_body_timeout() throws Exception {
        try (RawConnection raw = server.raw()) {
            raw.send(post("/late", 4) + "xx");
            readFirst.await();
            for (int i = 0; i < 2; i++) {
                try (RawConnection other = server.raw()) {
                    assertThat(other.readAll()).isEmpty(); // the body time-out has passed
                }
            }
            readOn.countDown();
            raw.send("xx");
            assertThat(raw.readUntil("}")).contains("200 OK", "\"size\":4");
        }
    }

    @Test
    void a_client_that_does_not_read_its_response_is_disconnected() {
        try (RawConnection raw = server.raw()) {
            raw.send("GET /much HTTP/1.1\r\nHost: x\r\n\r\n");
            await().atMost(Duration.ofSeconds(20)).until(() -> clientsGone.get() == 1);
        }
    }

    @Test
    void head_has_the_length_and_no_body() {
        try (RawConnection raw = server.raw()) {
            raw.send("HEAD /much HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(raw.readAll())
                    .startsWith("HTTP/1.1 200")
                    .contains("Content-Length: 1073741824")
                    .endsWith("\r\n\r\n");
        }
    }
}
