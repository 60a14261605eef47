package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses whose handler decides while running whether to stream. */
@Timeout(60)
class LateStreamTest {
    private static final TenantId TENANT = new TenantId("tenant");

    private static Route route(Response.LateHandler handler) {
        return Route.get(
                "/late", RouteAccess.open(), Dialect.STANDARD, _ -> new Response.WholeOrStream(TENANT, handler));
    }

    private static HttpResponse<String> get(LiveServer live) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(live.server.url() + "/late"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void a_response_without_a_stream_is_written_whole() throws Exception {
        try (LiveServer live = new LiveServer(route(_ -> Response.json(201, Map.of("whole", true))))) {
            HttpResponse<String> answer = get(live);

            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.body()).isEqualTo("{\"whole\":true}");
        }
    }

    @Test
    void a_started_stream_replaces_the_response() throws Exception {
        Route streaming = route(client -> {
            try (OutputStream out = client.start("text/event-stream", Map.of("X-Accel-Buffering", "no"))) {
                out.write("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
                out.write("data: 2\n\n".getBytes(StandardCharsets.UTF_8));
            }
            return Response.empty();
        });
        try (LiveServer live = new LiveServer(streaming)) {
            HttpResponse<String> answer = get(live);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(answer.headers().firstValue("X-Accel-Buffering")).contains("no");
            assertThat(answer.body()).isEqualTo("data: 1\n\ndata: 2\n\n");
        }
    }

    @Test
    void the_handler_is_notified_when_the_server_stops() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Route waiting = route(client -> {
            client.onStop(stopped::countDown);
            client.start("text/plain", Map.of()).write('x');
            begun.countDown();
            stopped.await();
            return Response.empty();
        });
        try (LiveServer live = new LiveServer(waiting)) {
            Thread asking = Thread.ofVirtual().start(() -> {
                try {
                    get(live);
                } catch (Exception cutOff) {
                    // the server has stopped
                }
            });
            begun.await();
            live.server.stop(Duration.ofSeconds(5));
            stopped.await();
            asking.join();
        }
    }
}
