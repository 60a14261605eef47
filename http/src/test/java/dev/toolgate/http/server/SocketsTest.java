package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.socket.SocketHandler;
import dev.toolgate.http.socket.SocketPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> happened = new CopyOnWriteArrayList<>();

    @AfterAll
    static void close() {
        HTTP.close();
    }

    /** Echoes messages, and fails on request. */
    private final class Echo implements SocketHandler {
        private final SocketPeer peer;

        Echo(SocketPeer peer) {
            this.peer = peer;
            happened.add("opened");
        }

        @Override
        public void received(String message) {
            if (message.equals("break")) {
                throw new IllegalStateException("As asked.");
            }
            try {
                peer.send("echo " + message);
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void stopping() {
            happened.add("stopping");
            peer.close(SocketPeer.CloseReason.STOPPING);
        }

        @Override
        public void closed() {
            happened.add("closed");
        }
    }

    private Route echo() {
        return Route.get(
                "/echo",
                RouteAccess.open(),
                Dialect.STANDARD,
                _ -> new Response.Socket(Principal.FIRST_TENANT, Echo::new));
    }

    private Route echoOf(String tenant) {
        return Route.get(
                "/" + tenant,
                RouteAccess.open(),
                Dialect.STANDARD,
                _ -> new Response.Socket(new TenantId(tenant), Echo::new));
    }

    private static HttpSettings maxSockets(int max) {
        HttpSettings defaults = LiveServer.defaults();
        return HttpSettings.plain(
                defaults.host(),
                defaults.ports(),
                defaults.idle(),
                defaults.requestTimeout(),
                defaults.minBodyRate(),
                defaults.maxConnections(),
                defaults.maxRequests(),
                max,
                defaults.heartbeat(),
                defaults.grace());
    }

    /** A client that records messages. */
    private static final class RecordingListener implements WebSocket.Listener {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            heard.add(data.toString());
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            heard.add("closed " + code);
            return null;
        }
    }

    private static WebSocket open(LiveServer server, WebSocket.Listener listener) {
        return open(server, "/echo", listener);
    }

    private static WebSocket open(LiveServer server, String path, WebSocket.Listener listener) {
        return HTTP.newWebSocketBuilder()
                .buildAsync(URI.create(server.server.url().replace("http:", "ws:") + path), listener)
                .join();
    }

    private static void refused(LiveServer server, String path) {
        assertThatThrownBy(() -> open(server, path, new RecordingListener()))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(WebSocketHandshakeException.class, refused -> assertThat(
                                refused.getResponse().statusCode())
                        .isEqualTo(503));
    }

    private static String asUpgrade(String... headers) {
        return "GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + String.join("\r\n", headers) + "\r\n\r\n";
    }

    private static void say(WebSocket socket, String text) {
        var _ = socket.sendText(text, true).join();
    }

    @Test
    void messages_are_echoed_until_the_client_closes() {
        RecordingListener listener = new RecordingListener();
        try (LiveServer server = new LiveServer(echo())) {
            WebSocket socket = open(server, listener);
            say(socket, "hello");
            await().untilAsserted(() -> assertThat(listener.heard).containsExactly("echo hello"));
            var _ = socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
            await().untilAsserted(() -> assertThat(happened).containsExactly("opened", "closed"));
        }
    }

    @Test
    void a_socket_outlives_the_idle_and_request_timeouts() {
        RecordingListener listener = new RecordingListener();
        try (LiveServer server = new LiveServer(LiveServer.quick(), echo())) {
            WebSocket socket = open(server, listener);
            for (int i = 0; i < 4; i++) {
                try (RawConnection silent = server.raw()) {
                    assertThat(silent.readAll())
                            .as("closed by the idle time-out")
                            .isEmpty();
                }
            }
            say(socket, "still here?");
            await().untilAsserted(() -> assertThat(listener.heard).containsExactly("echo still here?"));
            socket.abort();
        }
    }

    @Test
    void a_plain_request_gets_426() {
        try (LiveServer server = new LiveServer(echo())) {
            HttpResponse<String> response = server.get("/echo");
            assertThat(response.statusCode()).isEqualTo(426);
            assertThat(LiveServer.error(response).path("message").asString()).contains("WebSocket");
        }
        assertThat(happened).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Version: 7",
                "Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
            })
    void an_invalid_upgrade_is_refused_and_holds_no_permit(String headers) {
        try (LiveServer server = new LiveServer(maxSockets(1), echo())) {
            for (int i = 0; i < 3; i++) {
                try (RawConnection raw = server.raw()) {
                    assertThat(raw.send(asUpgrade(headers))
                                    .readUntil("This is not a valid WebSocket upgrade request of version 13."))
                            .startsWith("HTTP/1.1 400");
                }
            }
            assertThat(happened).isEmpty();
            try (RawConnection raw = server.raw()) {
                assertThat(raw.send(asUpgrade(
                                        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="))
                                .readUntil("\r\n\r\n"))
                        .startsWith("HTTP/1.1 101");
            }
        }
    }

    @Test
    void clients_gone_before_the_response_hold_no_permit() {
        try (LiveServer server = new LiveServer(maxSockets(4), echo())) {
            for (int i = 0; i < 50; i++) {
                server.raw()
                        .send(asUpgrade("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="))
                        .reset();
            }
            await().untilAsserted(() -> assertThatNoException()
                    .isThrownBy(() -> open(server, new RecordingListener()).abort()));
        }
    }

    @Test
    void a_failing_handler_closes_only_its_socket() {
        RecordingListener broken = new RecordingListener();
        RecordingListener other = new RecordingListener();
        try (LiveServer server = new LiveServer(echo())) {
            WebSocket one = open(server, broken);
            WebSocket two = open(server, other);
            say(one, "break");
            await().untilAsserted(() -> assertThat(broken.heard).containsExactly("closed 1011"));
            say(two, "fine?");
            await().untilAsserted(() -> assertThat(other.heard).containsExactly("echo fine?"));
            await().untilAsserted(() -> assertThat(happened).containsExactly("opened", "opened", "closed"));
            two.abort();
        }
    }

    @Test
    void all_sockets_are_closed_when_the_server_stops() {
        RecordingListener listener = new RecordingListener();
        try (LiveServer server = new LiveServer(echo())) {
            open(server, listener);
            await().until(() -> happened.contains("opened"));
        }
        await().untilAsserted(() -> assertThat(listener.heard).containsExactly("closed 1001"));
        assertThat(happened).containsExactly("opened", "stopping", "closed");
    }

    @Test
    void sockets_over_the_limit_get_503_until_one_closes() {
        try (LiveServer server = new LiveServer(maxSockets(2), echoOf("one"), echoOf("two"), echoOf("three"))) {
            WebSocket one = open(server, "/one", new RecordingListener());
            WebSocket another = open(server, "/two", new RecordingListener());
            refused(server, "/three");
            one.abort();
            await().until(() -> happened.contains("closed"));
            await().untilAsserted(() -> assertThatNoException()
                    .isThrownBy(() ->
                            open(server, "/three", new RecordingListener()).abort()));
            another.abort();
        }
    }

    @Test
    void one_tenant_cannot_use_up_all_sockets() {
        try (LiveServer server = new LiveServer(maxSockets(8), echoOf("greedy"), echoOf("modest"))) {
            WebSocket one = open(server, "/greedy", new RecordingListener());
            WebSocket another = open(server, "/greedy", new RecordingListener());
            refused(server, "/greedy");
            open(server, "/modest", new RecordingListener()).abort();
            one.abort();
            await().untilAsserted(() -> assertThatNoException()
                    .isThrownBy(() ->
                            open(server, "/greedy", new RecordingListener()).abort()));
            another.abort();
        }
    }
}
