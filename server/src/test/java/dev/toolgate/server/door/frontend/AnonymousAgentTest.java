package dev.toolgate.server.door.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.http.request.RequestSource;
import dev.toolgate.http.routing.UnauthenticatedRequest;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnonymousAgentTest {
    private static final String LISTING = "{\"tool\": \"listFiles\", \"args\": {}, \"correlationId\": \"c\"}";
    private static final String PAGE = "http://localhost:5173";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home, Map.of("dialect.toolbackend.anonymous_agent", "front_end", "host", "0.0.0.0"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void programs_of_this_machine_act_as_the_agent_once_it_exists() {
        server.admin().delete("/api/v1/agents/front_end");
        assertThat(server.anonymous().get("/tools").status()).isEqualTo(401);

        exist();
        Reply reply = server.anonymous().post("/execute-tool", LISTING);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(server.admin().get("/api/v1/audit/logs?agent_id=front_end").text())
                .contains("\"front_end\"", "anonymous");
        assertThat(server.anonymous()
                        .post("/execute-tool", LISTING.replace("listFiles", "bash"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_wrong_key_is_refused_not_treated_as_anonymous() {
        exist();

        assertThat(server.withKey("tg_wrong").post("/execute-tool", LISTING).status())
                .isEqualTo(401);
        assertThat(server.anonymous().with("Authorization", "").get("/tools").status())
                .isEqualTo(401);
        assertThat(server.anonymous()
                        .with("Cookie", "toolgate_session=wrong")
                        .get("/tools")
                        .status())
                .isEqualTo(401);
        assertThat(server.anonymous()
                        .with("Cookie", "toolgate_session=wrong; toolgate_session=other")
                        .get("/tools")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void a_wrong_key_in_an_upgrade_request_is_refused_too() throws Exception {
        exist();
        URI address = URI.create(server.url());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream().write("""
                    GET /tools HTTP/1.1\r
                    Host: localhost:%d\r
                    Connection: Upgrade, close\r
                    Upgrade: websocket\r
                    Sec-WebSocket-Protocol: toolgate.chat, toolgate.key.tg_wrong\r
                    \r
                    """.formatted(address.getPort()).getBytes(StandardCharsets.US_ASCII));
            String status = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();

            assertThat(status).contains(" 401 ");
        }
    }

    @Test
    void other_doors_need_a_key() {
        exist();

        assertThat(server.anonymous().get("/api/v1/tools").status()).isEqualTo(401);
        assertThat(server.anonymous().get("/api/v1/whoami").status()).isEqualTo(401);
        assertThat(server.anonymous().post("/tools/file_list/invoke", "{}").status())
                .isEqualTo(401);
    }

    @Test
    void programs_of_other_machines_need_a_key() throws Exception {
        exist();
        Optional<String> address = outerAddress();
        assumeThat(address).as("an address of this machine beside loopback").isPresent();
        int port = URI.create(server.url()).getPort();
        Client fromOutside = new Client("http://" + address.orElseThrow() + ":" + port);

        assertThat(fromOutside.post("/execute-tool", LISTING).status()).isEqualTo(401);
        assertThat(fromOutside.get("/health").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost:3001, , , true",
        "127.0.0.1, 127.0.0.1:3001, http://127.0.0.1:3001, , true",
        "::1, [::1]:3001, http://localhost:5173, , true",
        "192.0.2.7, localhost:3001, , , false",
        "2001:db8::1, localhost:3001, , , false",
        "127.0.0.1, evil.example:3001, http://evil.example:3001, , false",
        "127.0.0.1, evil.example:3001, , , false",
        "127.0.0.1, localhost.evil.example, , , false",
        "127.0.0.1, , , , false",
        "127.0.0.1, localhost:3001, https://evil.example, , false",
        "127.0.0.1, localhost:3001, null, , false",
        "127.0.0.1, localhost:3001, , 192.0.2.7, false"
    })
    void only_direct_loopback_requests_are_anonymous(
            String remote, String host, String origin, String forwardedFor, boolean taken) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Host", host);
        headers.put("Origin", origin);
        headers.put("X-Forwarded-For", forwardedFor);
        AnonymousAgent anonymous =
                new AnonymousAgent(new AgentId("front_end"), _ -> true, Set.of(PAGE), (_, _) -> true);

        assertThat(anonymous
                        .principal(request(remote, RequestSource.Arrival.DIRECT, headers))
                        .isPresent())
                .isEqualTo(taken);
        assertThat(anonymous.principal(request(remote, RequestSource.Arrival.BY_PROXY, headers)))
                .as("passed on by a trusted proxy")
                .isEmpty();
        AnonymousAgent amongOthers =
                new AnonymousAgent(new AgentId("front_end"), _ -> true, Set.of(PAGE), (_, _) -> false);
        assertThat(amongOthers.principal(request(remote, RequestSource.Arrival.DIRECT, headers)))
                .as("a program of another user, such as a proxy that adds no header")
                .isEmpty();
    }

    private static UnauthenticatedRequest request(
            String remote, RequestSource.Arrival arrival, Map<String, String> headers) {
        return new UnauthenticatedRequest(
                new InetSocketAddress(InetAddress.ofLiteral(remote), 40_000),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 3001),
                arrival,
                headers::get);
    }

    @Test
    void requests_through_a_local_proxy_are_not_anonymous() throws Exception {
        Path other = Files.createTempDirectory(home, "proxied");
        try (RunningServer proxied = RunningServer.start(
                other,
                Map.of("dialect.toolbackend.anonymous_agent", "front_end", "http.trusted_proxies", "127.0.0.0/8"))) {
            proxied.admin().post("/api/v1/agents", "{\"agent_id\": \"front_end\"}");
            assertThat(proxied.anonymous().get("/tools").status())
                    .as("a proxy that adds no header")
                    .isEqualTo(401);
            assertThat(proxied.anonymous()
                            .with("X-Forwarded-For", "127.0.0.1")
                            .get("/tools")
                            .status())
                    .as("a client that names this machine")
                    .isEqualTo(401);
        }
        exist();
        for (String sign : List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via")) {
            assertThat(server.anonymous().with(sign, "127.0.0.1").get("/tools").status())
                    .as(sign)
                    .isEqualTo(401);
        }
    }

    private static void exist() {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"front_end\"}");
        server.admin().put("/api/v1/permissions/front_end/file_list", "{\"allowed\": true}");
    }

    private static Optional<String> outerAddress() throws Exception {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst();
    }
}
