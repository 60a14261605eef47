package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.ProxyClient.connect;
import static dev.toolgate.runtime.network.ProxyClient.exchange;
import static dev.toolgate.runtime.network.ProxyClient.receiveAll;
import static dev.toolgate.runtime.network.ProxyClient.send;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy as a confined command sees it: raw bytes on a unix socket. */
class AllowlistProxyTest extends WithAllowlistProxy {

    @ParameterizedTest
    @ValueSource(strings = {"good.example", "GOOD.example.", "sub.wild.example"})
    void tunnels_to_an_allowed_name(String host) throws Exception {
        try (SocketChannel client = connect(proxy)) {
            send(
                    client,
                    "CONNECT " + host + ":" + server.port() + " HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\n\r\n");
            assertThat(receiveAll(client)).startsWith("HTTP/1.1 200 ").endsWith("from outside");
        }
        assertThat(server.received().getFirst().line()).isEqualTo("GET /a HTTP/1.1");
        await().untilAsserted(() -> assertThat(proxy.openConnections()).isZero());
    }

    @Test
    void forwards_a_plain_request_to_the_checked_host() throws Exception {
        String response = exchange(
                proxy,
                "POST http://good.example:" + server.port() + "/p?q HTTP/1.1\r\nHost: other.example\r\n"
                        + "Proxy-Authorization: x\r\nConnection: keep-alive\r\nX-Own: 1\r\nContent-Length: 4\r\n\r\nbody"
                        + "GET http://inside.example/ HTTP/1.1\r\nHost: inside.example\r\n\r\n");
        assertThat(response).endsWith("from outside");
        assertThat(server.received()).hasSize(1);
        ScriptedServer.Received seen = server.received().getFirst();
        assertThat(seen.line()).isEqualTo("POST /p?q HTTP/1.1");
        assertThat(seen.body()).isEqualTo("body");
        assertThat(seen.headers())
                .containsOnlyKeys("host", "connection", "x-own", "content-length")
                .containsEntry("host", "good.example:" + server.port())
                .containsEntry("connection", "close");
        assertThat(victim.hits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other.example",
                "wild.example",
                "good.example.evil.net",
                "notgood.example",
                "inside.example",
                "mixed.example",
                "localhost",
                "127.0.0.1",
                "2130706433",
                "[::1]",
                "10.0.0.1"
            })
    void answers_403_for_everything_else(String host) throws Exception {
        for (String request :
                List.of("CONNECT " + host + ":" + server.port(), "GET http://" + host + ":" + server.port() + "/")) {
            String response = exchange(proxy, request + " HTTP/1.1\r\n\r\n");
            assertThat(response).startsWith("HTTP/1.1 403 Forbidden\r\n");
            assertThat(response.lines().toList().getLast())
                    .startsWith("The host '")
                    .endsWith(".");
        }
        assertThat(victim.hits()).isZero();
        assertThat(server.hits()).isZero();
    }

    @Test
    void a_name_that_is_not_allowed_is_not_resolved() throws Exception {
        exchange(proxy, "CONNECT exfiltrated-data.evil.example:443 HTTP/1.1\r\n\r\n");
        assertThat(internet.lookups).isEmpty();
    }

    @Test
    void an_address_on_the_list_is_still_checked() throws Exception {
        try (AllowlistProxy careless = AllowlistProxy.start(
                folder, self(), List.of("*"), LoopbackInternet.POLICY, internet, limits(64, LONG, LONG))) {
            assertThat(exchange(careless, "CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 403 ");
            assertThat(exchange(careless, "CONNECT 0x7f000001:" + server.port() + " HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 403 ");
        }
        assertThat(victim.hits()).isZero();
    }

    @Test
    void dns_rebinding_after_the_check_has_no_effect() throws Exception {
        String request = "GET http://rebinding.example:" + server.port() + "/ HTTP/1.1\r\n\r\n";
        assertThat(exchange(proxy, request)).endsWith("from outside");
        assertThat(internet.lookups).containsExactly("rebinding.example");
        assertThat(exchange(proxy, request)).startsWith("HTTP/1.1 403 ");
        assertThat(victim.hits()).isZero();
    }

    @Test
    void only_web_ports_are_allowed_by_default() throws Exception {
        assertThat(ProxyLimits.defaults().ports()).containsExactlyInAnyOrder(80, 443);
        try (AllowlistProxy withDefaults = AllowlistProxy.start(
                folder, self(), List.of("good.example"), LoopbackInternet.POLICY, internet, ProxyLimits.defaults())) {
            assertThat(exchange(withDefaults, "CONNECT good.example:" + server.port() + " HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("Port " + server.port() + " is not allowed.");
        }
        assertThat(server.hits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "GET https://good.example/ HTTP/1.1",
                "GET file:///etc/passwd HTTP/1.1",
                "GET http://u:p@good.example/ HTTP/1.1",
                "CONNECT good.example:0 HTTP/1.1",
                "CONNECT good.example%00:443 HTTP/1.1",
                "hello",
                "GET  http://good.example/ HTTP/1.1",
                "GET http://good.example/ HTTP/2.0",
                "GET http://good.example/ HTTP/1.1\r\nBad Header: x",
                "GET http://good.example/ HTTP/1.1\r\n folded: x",
                "GET http://good.example/ HTTP/1.1\r\nX: a\nY: b",
                "POST http://good.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
                "POST http://good.example/ HTTP/1.1\r\nContent-Length: -1",
            })
    void answers_400_for_malformed_requests(String request) throws Exception {
        assertThat(exchange(proxy, request + "\r\n\r\n")).startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(server.hits()).isZero();
    }

    @Test
    void refuses_an_endless_head_and_a_body_without_length() throws Exception {
        assertThat(exchange(proxy, "GET http://good.example/ HTTP/1.1\r\nX: " + "a".repeat(20_000)))
                .startsWith("HTTP/1.1 431 ");
        assertThat(exchange(proxy, "POST http://good.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .startsWith("HTTP/1.1 411 ");
    }

    @Test
    void a_tunnel_transfers_both_ways_and_half_closes() throws Exception {
        byte[] sent = new byte[4 * 1024 * 1024];
        new Random(1).nextBytes(sent);
        try (ServerSocket echo = new ServerSocket(0, 1, InetAddress.ofLiteral(PUBLIC));
                AllowlistProxy open = AllowlistProxy.start(
                        folder,
                        self(),
                        List.of("good.example"),
                        LoopbackInternet.POLICY,
                        internet,
                        new ProxyLimits(4, LONG, LONG, Set.of(echo.getLocalPort())));
                SocketChannel client = connect(open)) {
            Thread.ofVirtual().start(() -> {
                try (Socket one = echo.accept()) {
                    one.getInputStream().transferTo(one.getOutputStream());
                } catch (IOException gone) {
                    // the comparison below fails
                }
            });
            send(client, "CONNECT good.example:" + echo.getLocalPort() + " HTTP/1.1\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    send(client, new String(sent, ISO_8859_1));
                    client.shutdownOutput();
                } catch (IOException gone) {
                    // the comparison below fails
                }
            });
            String received = receiveAll(client);
            assertThat(received.substring(received.indexOf("\r\n\r\n") + 4).getBytes(ISO_8859_1))
                    .isEqualTo(sent);
        }
    }
}
