package dev.toolgate.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

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
        return Route.get("/echo", Access.open(), Dialect.STANDARD, _ -> new Response.Socket(Echo::new));
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
        return HTTP.newWebSocketBuilder()
                .buildAsync(URI.create(server.server.url().replace("http:", "ws:") + "/echo"), ear)
                .join();
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

    @Test
    void an_improper_upgrade_is_refused_and_keeps_no_place() {
        try (LiveServer server = new LiveServer(echo())) {
            for (int i = 0; i < 3; i++) {
                try (RawConnection raw = server.raw()) {
                    String answer = raw.send(String.join(
                                    "\r\n",
                                    "GET /echo HTTP/1.1",
                                    "Host: x",
                                    "Connection: Upgrade",
                                    "Upgrade: websocket",
                                    "Sec-WebSocket-Version: 7",
                                    "",
                                    ""))
                            .readUntil("\r\n\r\n");
                    assertThat(answer).startsWith("HTTP/1.1 4");
                }
            }
        }
        assertThat(happened).isEmpty();
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
        HttpSettings usual = LiveServer.quick();
        HttpSettings two = new HttpSettings(
                usual.host(),
                usual.ports(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                usual.slowestBody(),
                usual.mostConnections(),
                usual.mostRequests(),
                2,
                usual.heartbeat(),
                usual.grace());
        try (LiveServer server = new LiveServer(two, echo())) {
            WebSocket one = open(server, new Ear());
            WebSocket another = open(server, new Ear());
            assertThatThrownBy(() -> open(server, new Ear()))
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(WebSocketHandshakeException.class, refused -> assertThat(
                                    refused.getResponse().statusCode())
                            .isEqualTo(503));
            one.abort();
            await().until(() -> happened.contains("closed"));
            open(server, new Ear()).abort();
            another.abort();
        }
    }
}
