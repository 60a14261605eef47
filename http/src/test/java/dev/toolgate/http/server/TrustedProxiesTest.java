package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.runtime.network.Cidr;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests over loopback, as from a local proxy. */
class TrustedProxiesTest {
    private LiveServer server = behind("127.0.0.0/8", "10.0.0.0/8", "2001:db8:ff::/48");

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "198.51.100.7                          | 198.51.100.7",
                "198.51.100.7:4711                     | 198.51.100.7",
                "2001:db8::1                           | 2001:db8:0:0:0:0:0:1",
                "[2001:db8::1]:443                     | 2001:db8:0:0:0:0:0:1",
                "::ffff:198.51.100.7                   | 198.51.100.7",
                "203.0.113.1, 198.51.100.7             | 198.51.100.7",
                "203.0.113.1, 198.51.100.7, 10.1.2.3   | 198.51.100.7",
                "198.51.100.7, 2001:db8:ff::9          | 198.51.100.7",
                "10.9.9.9, 10.1.2.3                    | 10.9.9.9",
                "198.51.100.7, unknown                 | 127.0.0.1",
                "198.51.100.7, unknown, 10.1.2.3       | 10.1.2.3",
                "198.51.100.7,                         | 127.0.0.1",
                "evil.example                          | 127.0.0.1",
                "fe80::1%eth0                          | 127.0.0.1",
            })
    void the_last_untrusted_address_of_x_forwarded_for_is_the_client(String header, String client) {
        assertThat(seen("X-Forwarded-For", header)).isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "for=198.51.100.7                                      | 198.51.100.7",
                "For=\"198.51.100.7:4711\";proto=https                 | 198.51.100.7",
                "for=\"[2001:db8::1]:4711\";by=10.0.0.1                | 2001:db8:0:0:0:0:0:1",
                "for=203.0.113.1, for=198.51.100.7;host=a, for=10.0.0.2| 198.51.100.7",
                "for=198.51.100.7, for=unknown                         | 127.0.0.1",
                "for=198.51.100.7, for=\"_gazonk\"                     | 127.0.0.1",
                "for=198.51.100.7, for=\"_SEVKISEK:80\", for=10.0.0.2  | 10.0.0.2",
                "for=\"a, for=203.0.113.1\"                            | 127.0.0.1",
                "proto=https                                           | 127.0.0.1",
                "for=\"203.0.113.1                                     | 127.0.0.1",
            })
    void the_last_untrusted_address_of_forwarded_is_the_client(String header, String client) {
        assertThat(seen("Forwarded", header)).isEqualTo(client);
    }

    @Test
    void contradicting_forwarding_headers_are_ignored() {
        assertThat(seen("X-Forwarded-For", "198.51.100.7", "Forwarded", "for=203.0.113.1"))
                .isEqualTo("127.0.0.1");
        assertThat(seen("X-Forwarded-For", "198.51.100.7", "Forwarded", "for=198.51.100.7"))
                .isEqualTo("198.51.100.7");
    }

    @Test
    void a_header_sent_more_than_once_is_one_list() {
        assertThat(seen("X-Forwarded-For", "203.0.113.1", "X-Forwarded-For", "198.51.100.7"))
                .isEqualTo("198.51.100.7");
    }

    @Test
    void headers_of_a_peer_that_is_not_trusted_are_ignored() {
        server.close();
        server = behind("10.0.0.0/8");

        assertThat(seen("X-Forwarded-For", "198.51.100.7", "Forwarded", "for=198.51.100.7"))
                .isEqualTo("127.0.0.1");
        assertThat(channel("X-Forwarded-Proto", "https")).isEqualTo("PLAIN");
    }

    @Test
    void a_trusted_proxy_says_whether_its_client_uses_tls() {
        assertThat(channel("X-Forwarded-Proto", "https")).isEqualTo("TLS");
        assertThat(channel("X-Forwarded-Proto", "https, http")).isEqualTo("PLAIN");
        assertThat(channel("Forwarded", "for=198.51.100.7;proto=https")).isEqualTo("TLS");
    }

    private static LiveServer behind(String... proxies) {
        HttpSettings defaults = LiveServer.defaults();
        return new LiveServer(
                new HttpSettings(
                        defaults.host(),
                        defaults.ports(),
                        defaults.idle(),
                        defaults.requestTimeout(),
                        defaults.minBodyRate(),
                        defaults.maxConnections(),
                        defaults.maxRequests(),
                        defaults.maxEventStreams(),
                        defaults.heartbeat(),
                        List.of(proxies).stream().map(Cidr::parse).toList(),
                        null,
                        Duration.ZERO),
                Route.get("/known", RouteAccess.anyPrincipal(), Dialect.STANDARD, _ -> Response.empty()),
                Route.get(
                        "/channel",
                        RouteAccess.open(),
                        Dialect.STANDARD,
                        exchange -> Response.json(JsonNodeFactory.instance
                                .objectNode()
                                .put("channel", exchange.source().channel().name()))));
    }

    private String seen(String... headers) {
        server.send(
                server.request("/known").header("Authorization", "Bearer agent").headers(headers));
        return server.keys.seen.getLast().remoteAddress();
    }

    private String channel(String... headers) {
        HttpRequest.Builder request = server.request("/channel").headers(headers);
        HttpResponse<String> response = server.send(request);
        return dev.toolgate.core.json.Json.MAPPER
                .readTree(response.body())
                .path("channel")
                .asString();
    }
}
