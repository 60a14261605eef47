package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.routing.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StopTest {
    private final CountDownLatch handling = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final LiveServer server =
            new LiveServer(LiveServer.defaults(), Route.get("/slow", RouteAccess.open(), Dialect.STANDARD, _ -> {
                handling.countDown();
                answer.await();
                return Response.empty();
            }));

    private CompletableFuture<HttpResponse<String>> slowRequest() throws InterruptedException {
        CompletableFuture<HttpResponse<String>> response = CompletableFuture.supplyAsync(() -> server.get("/slow"));
        handling.await();
        return response;
    }

    private CompletableFuture<Void> stop(Duration grace) {
        return CompletableFuture.runAsync(() -> {
            try {
                server.server.stop(grace);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }

    private boolean isRefused() {
        try (RawConnection _ = server.raw()) {
            return false;
        } catch (UncheckedIOException refused) {
            return true;
        }
    }

    @Test
    void a_running_request_finishes_while_new_connections_are_refused() throws InterruptedException {
        try (RawConnection open = server.raw()) {
            open.send("GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("}}");
            CompletableFuture<HttpResponse<String>> response = slowRequest();
            CompletableFuture<Void> stopped = stop(Duration.ofMinutes(10));
            await().atMost(Duration.ofSeconds(20)).until(this::isRefused);
            open.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(open.readUntil("}}"))
                    .startsWith("HTTP/1.1 503")
                    .contains("Connection: close")
                    .contains("Retry-After: 1")
                    .contains("The server is stopping.");
            assertThat(response).isNotDone();
            assertThat(stopped).isNotDone();
            answer.countDown();
            assertThat(response.join().statusCode()).isEqualTo(204);
            stopped.join();
        }
    }

    @Test
    void an_unfinished_request_is_interrupted_and_gets_503() throws InterruptedException {
        CompletableFuture<HttpResponse<String>> response = slowRequest();
        stop(Duration.ofMillis(50)).join();
        assertThat(response.join().statusCode()).isEqualTo(503);
        assertThat(LiveServer.error(response.join()).path("message").asString()).isEqualTo("The server is stopping.");
    }

    @Test
    void an_interrupted_stream_does_not_look_complete() {
        Route endless = Route.get(
                "/endless",
                RouteAccess.open(),
                Dialect.STANDARD,
                _ -> Response.stream("text/csv", out -> {
                    out.write(new byte[100_000]);
                    answer.await();
                }));
        try (LiveServer other = new LiveServer(LiveServer.defaults(), endless);
                RawConnection raw = other.raw()) {
            raw.send("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("\r\n\r\n");
            other.server.stop(Duration.ofMillis(50));
            assertThat(raw.readAll()).doesNotEndWith("0\r\n\r\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            server.close();
        }
    }

    @Test
    void stopping_twice_is_harmless() {
        stop(Duration.ZERO).join();
        stop(Duration.ZERO).join();
        assertThat(isRefused()).isTrue();
    }

    @Test
    void a_port_in_use_is_reported() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();
            assertThatThrownBy(() -> HttpServer.start(
                            HttpSettings.on("127.0.0.1", List.of(0, taken)), new Routes(List.of()), server.keys))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Port " + taken + " on 127.0.0.1 is already in use; "
                            + "stop the program that has it, or choose another with --port or TOOLGATE_PORTS.");
        } finally {
            server.close();
        }
    }

    @Test
    void a_host_of_another_machine_is_reported() {
        assertThatThrownBy(() ->
                        HttpServer.start(HttpSettings.on("192.0.2.1", List.of(0)), new Routes(List.of()), server.keys))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Port 0 on 192.0.2.1 cannot be opened: ");
        server.close();
    }

    @Test
    void the_url_is_usable_by_a_client() throws IOException {
        server.close();
        try (HttpServer everywhere =
                HttpServer.start(HttpSettings.on("0.0.0.0", List.of(0)), new Routes(List.of()), server.keys)) {
            assertThat(everywhere.url())
                    .isEqualTo("http://localhost:" + everywhere.ports().getFirst());
        }
        assertThat(server.server.url()).isEqualTo("http://127.0.0.1:" + server.port());
    }
}
