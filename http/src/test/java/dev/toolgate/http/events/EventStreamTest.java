package dev.toolgate.http.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.server.LiveServer;
import dev.toolgate.http.server.RawConnection;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private static final String LISTEN = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n";

    private static final TenantId TENANT = new TenantId("tenant");

    private final CompletableFuture<String> end = new CompletableFuture<>();

    private static Route events(EventSource.Opened source) {
        return from(() -> source);
    }

    private static Route from(EventSource source) {
        return Route.get("/events", RouteAccess.open(), Dialect.STANDARD, _ -> Response.events(TENANT, source));
    }

    private static Route eventsOf(String tenant, EventSource.Opened source) {
        return Route.get(
                "/" + tenant,
                RouteAccess.open(),
                Dialect.STANDARD,
                _ -> Response.events(new TenantId(tenant), () -> source));
    }

    private static String listenAt(String tenant) {
        return LISTEN.replace("/events", "/" + tenant);
    }

    private EventSource.Opened waiting() {
        return _ -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupted) {
                end.complete("interrupted");
                throw interrupted;
            }
        };
    }

    private EventSource.Opened talking() {
        return sender -> {
            try {
                while (true) {
                    sender.send(null, null, "x".repeat(10_000));
                }
            } catch (IOException over) {
                end.complete("could not send");
                throw over;
            }
        };
    }

    @Test
    void a_stream_ending_between_two_heartbeats_is_complete() throws Exception {
        HttpSettings defaults = LiveServer.defaults();
        HttpSettings frequentHeartbeats = HttpSettings.plain(
                defaults.host(),
                defaults.ports(),
                defaults.idle(),
                defaults.requestTimeout(),
                defaults.minBodyRate(),
                defaults.maxConnections(),
                defaults.maxRequests(),
                defaults.maxEventStreams(),
                Duration.ofNanos(20_000),
                defaults.grace());
        EventSource.Opened brief = sender -> {
            for (int i = 0; i < 20; i++) {
                sender.send(null, null, "x".repeat(1_000));
            }
            sender.send(null, null, "last");
        };
        try (LiveServer server = new LiveServer(frequentHeartbeats, events(brief))) {
            for (int round = 0; round < 300; round++) {
                assertThat(server.get("/events").body()).contains("data: last");
            }
        }
    }

    @Test
    void events_are_sent_and_the_stream_ends_with_its_source() {
        try (LiveServer server = new LiveServer(events(sender -> {
            sender.send("1", () -> "call", "{\"a\":1}");
            sender.send(null, null, "two\nlines");
            sender.send("3", null, "");
        }))) {
            HttpResponse<String> response = server.get("/events");
            assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(response.body()).isEqualTo("""
                    :

                    id: 1
                    event: call
                    data: {"a":1}

                    data: two
                    data: lines

                    id: 3
                    data:

                    """);
        }
    }

    @Test
    void an_event_cannot_inject_another() {
        try (LiveServer server = new LiveServer(events(sender -> {
            assertThatThrownBy(() -> sender.send("1\ndata: forged", null, "x"))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> sender.send(null, () -> "a\rdata: forged", "x"))
                    .isInstanceOf(IllegalArgumentException.class);
            sender.send(null, null, "a\r\rdata: forged\n\nevent: forged");
        }))) {
            assertThat(server.get("/events").body())
                    .isEqualTo(":\n\ndata: a\ndata: \ndata: data: forged\ndata: \ndata: event: forged\n\n");
        }
    }

    @Test
    void heartbeats_keep_an_idle_stream_open_beyond_the_idle_timeout() {
        try (LiveServer server = new LiveServer(LiveServer.quick(), events(waiting()));
                RawConnection client = server.raw()) {
            client.send(LISTEN);
            for (int i = 0; i < 24; i++) {
                client.readUntil(":\n\n");
            }
            assertThat(end).isNotDone();
        }
    }

    @Test
    void a_waiting_source_is_interrupted_when_the_client_disconnects() {
        try (LiveServer server = new LiveServer(LiveServer.quick(), events(waiting()))) {
            try (RawConnection client = server.raw()) {
                client.send(LISTEN).readUntil(":\n\n");
            }
            assertThat(end.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("interrupted");
        }
    }

    @Test
    void a_sending_source_fails_when_the_client_disconnects() {
        try (LiveServer server = new LiveServer(LiveServer.quick(), events(talking()))) {
            try (RawConnection client = server.raw()) {
                client.send(LISTEN).readUntil(":\n\n");
            }
            assertThat(end.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("could not send");
        }
    }

    @Test
    void a_client_that_does_not_read_is_disconnected() {
        try (LiveServer server = new LiveServer(LiveServer.quick(), events(talking()));
                RawConnection client = server.raw()) {
            client.send(LISTEN).readUntil(":\n\n");
            assertThat(end.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("could not send");
        }
    }

    @Test
    void streams_end_at_once_when_the_server_stops() throws IOException {
        try (LiveServer server = new LiveServer(events(waiting()));
                RawConnection client = server.raw()) {
            client.send(LISTEN).readUntil(":\n\n");
            server.server.stop(Duration.ofMinutes(10)); // does not wait for them
            assertThat(end.join()).isEqualTo("interrupted");
            assertThat(client.readAll()).endsWith("0\r\n\r\n");
        }
    }

    @Test
    void streams_over_the_limit_get_503() {
        AtomicInteger open = new AtomicInteger();
        EventSource.Opened counted = sender -> {
            open.incrementAndGet();
            try {
                waiting().run(sender);
            } finally {
                open.decrementAndGet();
            }
        };
        Route[] routes = Stream.of("a", "b", "c", "d")
                .map(tenant -> eventsOf(tenant, counted))
                .toArray(Route[]::new);
        try (LiveServer server = new LiveServer(LiveServer.quick(), routes)) {
            RawConnection[] clients = new RawConnection[10];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = server.raw().send(listenAt("abcd".substring(i % 4, i % 4 + 1)));
                clients[i].readUntil(":\n\n");
            }
            await().untilAtomic(open, org.hamcrest.Matchers.is(10));
            HttpResponse<String> response = server.get("/d");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
            for (RawConnection client : clients) {
                client.close();
            }
            await().atMost(Duration.ofSeconds(20)).untilAtomic(open, org.hamcrest.Matchers.is(0));
            try (RawConnection another = server.raw()) {
                assertThat(another.send(listenAt("d")).readUntil(":\n\n")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void one_tenant_cannot_use_up_all_event_streams() {
        Route[] routes = {eventsOf("greedy", waiting()), eventsOf("modest", waiting())};
        try (LiveServer server = new LiveServer(LiveServer.quick(), routes)) {
            RawConnection[] taken = new RawConnection[3]; // a quarter of ten
            for (int i = 0; i < taken.length; i++) {
                taken[i] = server.raw().send(listenAt("greedy"));
                taken[i].readUntil(":\n\n");
            }

            HttpResponse<String> refused = server.get("/greedy");

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(LiveServer.error(refused).path("message").asString())
                    .contains("The tenant is at its limit of open event streams, which is 3");
            try (RawConnection other = server.raw()) {
                assertThat(other.send(listenAt("modest")).readUntil(":\n\n")).startsWith("HTTP/1.1 200");
            }
            taken[0].close();
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                try (RawConnection again = server.raw()) {
                    assertThat(again.send(listenAt("greedy")).readUntil("\r\n\r\n"))
                            .startsWith("HTTP/1.1 200");
                }
            });
            taken[1].close();
            taken[2].close();
        }
    }

    @Test
    void a_head_request_opens_no_source() {
        AtomicInteger opened = new AtomicInteger();
        try (LiveServer server = new LiveServer(from(() -> {
            opened.incrementAndGet();
            return waiting();
        }))) {
            for (int i = 0; i < 20; i++) {
                assertThat(server.send(server.request("/events").HEAD()).statusCode())
                        .isEqualTo(200);
            }
        }
        assertThat(opened).hasValue(0);
    }

    @Test
    void the_source_is_closed_if_the_client_leaves_before_the_first_byte() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        AtomicInteger open = new AtomicInteger();
        CountDownLatch closed = new CountDownLatch(1);
        try (LiveServer server = new LiveServer(LiveServer.quick(), from(() -> {
            open.incrementAndGet();
            awaitQuietly(gone);
            return new EventSource.Opened() {
                @Override
                public void run(EventSender sender) throws IOException, InterruptedException {
                    waiting().run(sender);
                }

                @Override
                public void close() {
                    closed.countDown();
                }
            };
        }))) {
            try (RawConnection client = server.raw()) {
                client.send(LISTEN);
                await().untilAtomic(open, org.hamcrest.Matchers.is(1));
            }
            gone.countDown();
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_source_that_fails_to_open_is_an_error() {
        try (LiveServer server = new LiveServer(from(() -> {
            throw new dev.toolgate.core.call.Unavailable("db.internal is gone", null);
        }))) {
            HttpResponse<String> response = server.get("/events");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
