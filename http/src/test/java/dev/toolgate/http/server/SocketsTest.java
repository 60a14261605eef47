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

    /** Says everything back, and breaks when it is told to. */
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

    private static HttpSettings mostSockets(int most) {
        HttpSettings usual = LiveServer.patient();
        return new HttpSettings(
                usual.host(),
                usual.ports(),
                usual.idle(),
                usual.patience(),
                usual.slowestBody(),
                usual.mostConnections(),
                usual.mostRequests(),
                most,
                usual.heartbeat(),
                usual.grace());
    }

    /** A client that keeps what it hears. */
    private static final class Ear implements WebSocket.Listener {
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

    private static WebSocket open(LiveServer server, WebSocket.Listener ear) {
        return open(server, "/echo", ear);
    }

    private static WebSocket open(LiveServer server, String path, WebSocket.Listener ear) {
        return HTTP.newWebSocketBuilder()
                .buildAsync(URI.create(server.server.url().replace("http:", "ws:") + path), ear)
                .join();
    }

    private static void refused(LiveServer server, String path) {
        assertThatThrownBy(() -> open(server, path, new Ear()))
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
    void what_is_sent_arrives_on_both_sides_until_the_client_closes() {
        Ear ear = new Ear();
        try (LiveServer server = new LiveServer(echo())) {
            WebSocket socket = open(server, ear);
            say(socket, "hello");
            await().untilAsserted(() -> assertThat(ear.heard).containsExactly("echo hello"));
            var _ = socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
            await().untilAsserted(() -> assertThat(happened).containsExactly("opened", "closed"));
        }
    }

    @Test
    void a_socket_outlives_what_a_quiet_connection_may_and_the_time_a_request_has() {
        Ear ear = new Ear();
        try (LiveServer server = new LiveServer(LiveServer.quick(), echo())) {
            WebSocket socket = open(server, ear);
            for (int i = 0; i < 4; i++) {
                try (RawConnection silent = server.raw()) {
                    assertThat(silent.readAll()).as("closed by the idle time").isEmpty();
                }
            }
            say(socket, "still here?");
            await().untilAsserted(() -> assertThat(ear.heard).containsExactly("echo still here?"));
            socket.abort();
        }
    }

    @Test
    void a_plain_request_is_told_that_this_is_a_socket() {
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
    void an_improper_upgrade_is_refused_and_keeps_no_place(String headers) {
        try (LiveServer server = new LiveServer(mostSockets(1), echo())) {
            for (int i = 0; i < 3; i++) {
                try (RawConnection raw = server.raw()) {
                    assertThat(raw.send(asUpgrade(headers))
                                    .readUntil("This is not a proper request for a WebSocket of version 13."))
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
    void clients_that_are_gone_before_the_answer_keep_no_place() {
        try (LiveServer server = new LiveServer(mostSockets(4), echo())) {
            for (int i = 0; i < 50; i++) {
                server.raw()
                        .send(asUpgrade("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="))
                        .reset();
            }
            await().untilAsserted(() -> assertThatNoException()
                    .isThrownBy(() -> open(server, new Ear()).abort()));
        }
    }

    @Test
    void a_handler_that_breaks_ends_its_socket_and_no_other() {
        Ear broken = new Ear();
        Ear other = new Ear();
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
    void all_are_told_when_the_server_stops() {
        Ear ear = new Ear();
        try (LiveServer server = new LiveServer(echo())) {
            open(server, ear);
            await().until(() -> happened.contains("opened"));
        }
        await().untilAsserted(() -> assertThat(ear.heard).containsExactly("closed 1001"));
        assertThat(happened).containsExactly("opened", "stopping", "closed");
    }

    @Test
    void more_sockets_than_agreed_are_told_to_come_back_and_may_when_one_has_gone() {
        try (LiveServer server = new LiveServer(mostSockets(2), echoOf("one"), echoOf("two"), echoOf("three"))) {
            WebSocket one = open(server, "/one", new Ear());
            WebSocket another = open(server, "/two", new Ear());
            refused(server, "/three");
            one.abort();
            await().until(() -> happened.contains("closed"));
            await().untilAsserted(() -> assertThatNoException()
                    .isThrownBy(() -> open(server, "/three", new Ear()).abort()));
            another.abort();
        }
    }

    @Test
    void one_tenant_cannot_take_the_sockets_of_the_others() {
        try (LiveServer server = new LiveServer(mostSockets(8), echoOf("greedy"), echoOf("modest"))) {
            WebSocket one = open(server, "/greedy", new Ear());
            WebSocket another = open(server, "/greedy", new Ear());
            refused(server, "/greedy");
            open(server, "/modest", new Ear()).abort();
            one.abort();
            await().untilAsserted(() -> assertThatNoException()
                    .isThrownBy(() -> open(server, "/greedy", new Ear()).abort()));
            another.abort();
        }
    }
}
