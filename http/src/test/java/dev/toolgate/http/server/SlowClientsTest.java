package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that are slow or silent for too long are disconnected, and no others. */
class SlowClientsTest {
    private final AtomicInteger handled = new AtomicInteger();
    private final LiveServer server = new LiveServer(LiveServer.quick(), answering(), reading());

    private static Route answering() {
        return Route.get("/x", RouteAccess.open(), Dialect.STANDARD, _ -> Response.empty());
    }

    private Route reading() {
        return Route.post("/read", RouteAccess.open(), Dialect.STANDARD, exchange -> {
            handled.incrementAndGet();
            return Response.json(exchange.json());
        });
    }

    private static String post(int length) {
        return "POST /read HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\n\r\n";
    }

    @AfterEach
    void stop() {
        assertThat(server.get("/x").statusCode())
                .as("the server is alive afterwards")
                .isEqualTo(204);
        server.close();
    }

    @Test
    void a_stalled_body_times_out() {
        try (RawConnection raw = server.raw()) {
            raw.send(post(9) + "{\"a\"");
            assertThat(raw.readAll())
                    .startsWith("HTTP/1.1 408")
                    .contains("Connection: close")
                    .contains("\"message\":\"The body did not arrive in time.\"")
                    .contains("\"retryable\":true");
        }
    }

    @Test
    void a_trickling_body_times_out() {
        try (RawConnection raw = server.raw()) {
            raw.send(post(1_000_000));
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !raw.takes("x"));
            assertThat(handled).hasValue(1);
        }
    }

    @Test
    void a_trickling_header_times_out() {
        try (RawConnection raw = server.raw()) {
            raw.send("GET /x HTTP/1.1\r\nHost: x\r\nslow: ");
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !raw.takes("x"));
        }
    }

    @Test
    void trickling_empty_lines_time_out() {
        try (RawConnection raw = server.raw()) {
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !raw.takes("\r\n"));
        }
    }

    @Test
    void an_idle_connection_is_closed() {
        try (RawConnection silent = server.raw();
                RawConnection kept = server.raw()) {
            kept.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(kept.readAll()).startsWith("HTTP/1.1 204");
            assertThat(silent.readAll()).isEmpty();
        }
    }

    @Test
    void a_connection_in_use_is_kept() {
        Duration quiet = Duration.ofSeconds(1); // ten times the pause between two requests, for a busy machine
        try (LiveServer shortIdle = new LiveServer(LiveServer.givingUpAfter(quiet), answering());
                RawConnection kept = shortIdle.raw()) {
            long longerThanBoth =
                    System.nanoTime() + quiet.multipliedBy(7).dividedBy(2).toNanos();
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        kept.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
                        assertThat(kept.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 204");
                        return System.nanoTime() - longerThanBoth > 0; // than idle and request time-out together
                    });
        }
    }

    @Test
    void a_handler_may_take_longer_than_the_idle_timeout() {
        CountDownLatch answer = new CountDownLatch(1);
        HttpSettings settings = LiveServer.quick();
        try (LiveServer slow =
                        new LiveServer(settings, Route.get("/slow", RouteAccess.open(), Dialect.STANDARD, exchange -> {
                            answer.await();
                            return Response.empty();
                        }));
                RawConnection other = slow.raw()) {
            CompletableFuture<HttpResponse<String>> response = CompletableFuture.supplyAsync(() -> slow.get("/slow"));
            assertThat(other.readAll()).isEmpty(); // the idle time-out has passed
            try (RawConnection another = slow.raw()) {
                assertThat(another.readAll()).isEmpty();
            }
            try (RawConnection another = slow.raw()) {
                assertThat(another.readAll()).isEmpty();
            }
            answer.countDown();
            assertThat(response.join().statusCode()).isEqualTo(204);
        }
    }
}
