package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.ALSO_PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.PRIVATE;
import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.call;
import static dev.toolgate.runtime.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.network.LoopbackInternet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SSRF attacks: attempts to make the server connect to itself or its network; the victim must get no connection. */
class HttpRequestSsrfTest {
    private final LoopbackInternet internet = new LoopbackInternet();
    private ScriptedServer victim;

    @BeforeEach
    void start() throws IOException {
        victim = ScriptedServer.on(PRIVATE, ScriptedServer.ok("secret"));
    }

    @AfterEach
    void stop() throws IOException {
        victim.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST",
                "localhost.",
                "anything.localhost",
                "127.0.0.1",
                "127.0.0.1.",
                "127.1",
                "127.0.1",
                "2130706433",
                "0177.0.0.1",
                "017700000001",
                "0x7f000001",
                "0x7f.1",
                "0X7F.0.0.1",
                "0x7f.0.0x0.01",
                "0",
                "0.0.0.0",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "[0:0:0:0:0:ffff:7f00:0001]",
                "１２７.０.０.１",
                "①②⑦.0.0.1",
                "127。0。0。1",
                "127．0．0．1",
                "127｡0｡0｡1",
                "local\u00adhost",
                "ｌｏｃａｌｈｏｓｔ",
            })
    void refuses_every_notation_of_loopback(String host) throws Exception {
        String url = "http://" + host + ":" + victim.port() + "/";
        Failure refused = failure(
                new HttpRequestTool(AddressPolicies.forAllTenants(AddressPolicy.publicOnly()), internet), get(url));
        assertThat(refused.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refused.message()).contains("which means this machine");
        assertThat(internet.lookups).isEmpty();
        assertThat(victim.hits()).isZero();

        // Without the policy, the request does reach the victim.
        assertThat(call(
                                new HttpRequestTool(
                                        AddressPolicies.forAllTenants((_, _, _) -> Optional.empty()), internet),
                                get(url))
                        .text())
                .contains("secret");
        assertThat(victim.hits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::1]", "[0:0:0:0:0:0:0:1]", "[::0.0.0.1]"})
    void refuses_every_ipv6_notation_of_loopback(String host) throws Exception {
        try (ScriptedServer ipv6 = ScriptedServer.on("::1", ScriptedServer.ok("secret"))) {
            String url = "http://" + host + ":" + ipv6.port() + "/";
            assertThat(failure(
                                    new HttpRequestTool(
                                            AddressPolicies.forAllTenants(AddressPolicy.publicOnly()), internet),
                                    get(url))
                            .code())
                    .isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(ipv6.hits()).isZero();

            assertThat(call(
                                    new HttpRequestTool(
                                            AddressPolicies.forAllTenants((_, _, _) -> Optional.empty()), internet),
                                    get(url))
                            .text())
                    .contains("secret");
            assertThat(ipv6.received().getFirst().header("host"))
                    .hasValueSatisfying(sent -> assertThat(sent).startsWith("[").endsWith("]:" + ipv6.port()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::1]",
                "[::]",
                "[::127.0.0.1]",
                "[0000:0000:0000:0000:0000:0000:0000:0001]",
                "10.0.0.1",
                "10.255.255.255",
                "012.1.1.1",
                "0xa.1",
                "167772161",
                "169.254.169.254",
                "2852039166",
                "0251.0376.0251.0376",
                "0xa9fea9fe",
                "172.16.0.1",
                "172.31.255.254",
                "2886729729",
                "192.168.0.1",
                "192.168.257",
                "0300.0250.0.1",
                "3232235521",
                "100.64.0.1",
                "[fc00::1]",
                "[fd00:ec2::254]",
                "[fe80::1]",
                "[::ffff:10.0.0.1]",
                "[::ffff:169.254.169.254]",
                "[64:ff9b::169.254.169.254]",
                "[2002:a9fe:a9fe::1]",
                "255.255.255.255",
                "224.0.0.1",
            })
    void refuses_internal_addresses_before_creating_a_socket(String host) {
        assertThat(withoutSockets("http://" + host + "/").code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(internet.lookups).isEmpty();
    }

    @Test
    void creates_a_socket_for_a_public_address() {
        assertThat(withoutSockets("http://8.8.8.8/").code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
    }

    @Test
    void refuses_a_name_that_resolves_to_a_private_address() {
        internet.name("innocent.example", PRIVATE);
        Failure refused = failure(internet.tool(), get(url("innocent.example", "?token=hunter2")));
        assertThat(refused.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refused.message()).contains("innocent.example").doesNotContain("hunter2");
        assertThat(victim.hits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {PUBLIC + " " + PRIVATE, PRIVATE + " " + PUBLIC, PUBLIC + " 127.0.0.4", PUBLIC + " ::1"})
    void refuses_a_name_with_one_public_and_one_private_address(String addresses) {
        internet.name("mixed.example", addresses.split(" "));
        assertThat(failure(internet.tool(), get(url("mixed.example", ""))).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(victim.hits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "2130706433", "inside.example", "[::ffff:127.0.0.1]"})
    void refuses_a_redirect_to_a_private_address(String host) throws Exception {
        internet.name("outside.example", PUBLIC).name("inside.example", PRIVATE);
        try (ScriptedServer outside = ScriptedServer.on(PUBLIC, ScriptedServer.redirect(302, url(host, "")))) {
            Failure refused = failure(internet.tool(), get("http://outside.example:" + outside.port() + "/"));
            assertThat(refused.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(outside.hits()).isEqualTo(1);
            assertThat(victim.hits()).isZero();
        }
    }

    @Test
    void dns_rebinding_after_the_check_has_no_effect() throws Exception {
        internet.name("rebinding.example", PUBLIC).name("rebinding.example", PRIVATE);
        try (ScriptedServer first = ScriptedServer.on(PUBLIC, victim.port(), ScriptedServer.ok("public"))) {
            assertThat(call(internet.tool(), get(url("rebinding.example", ""))).text())
                    .endsWith("public");
            assertThat(first.hits()).isEqualTo(1);
            assertThat(internet.lookups).containsExactly("rebinding.example");

            assertThat(failure(internet.tool(), get(url("rebinding.example", "")))
                            .code())
                    .isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(victim.hits()).isZero();
        }
    }

    @Test
    void dns_rebinding_between_two_hops_is_refused() throws Exception {
        internet.name("rebinding.example", PUBLIC).name("rebinding.example", PRIVATE);
        try (ScriptedServer first = ScriptedServer.on(PUBLIC, victim.port(), ScriptedServer.redirect(302, "/again"))) {
            assertThat(failure(internet.tool(), get(url("rebinding.example", "")))
                            .code())
                    .isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(first.hits()).isEqualTo(1);
            assertThat(internet.lookups).containsExactly("rebinding.example", "rebinding.example");
            assertThat(victim.hits()).isZero();
        }
    }

    @Test
    void the_second_address_is_tried_if_the_first_refuses() throws Exception {
        internet.name("two.example", ALSO_PUBLIC, PUBLIC);
        try (ScriptedServer second = ScriptedServer.on(PUBLIC, ScriptedServer.ok("second"))) {
            assertThat(call(internet.tool(), get("http://two.example:" + second.port() + "/"))
                            .text())
                    .endsWith("second");
            assertThat(internet.lookups).hasSize(1);
        }
    }

    @Test
    void a_proxy_in_the_system_properties_is_not_used() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok("direct"));
                ScriptedServer proxy = ScriptedServer.on(ALSO_PUBLIC, ScriptedServer.ok("by proxy"))) {
            Map<String, String> settings = Map.of(
                    "http.proxyHost",
                    ALSO_PUBLIC,
                    "http.proxyPort",
                    String.valueOf(proxy.port()),
                    "socksProxyHost",
                    ALSO_PUBLIC,
                    "socksProxyPort",
                    String.valueOf(proxy.port()));
            settings.forEach(System::setProperty);
            try {
                assertThat(call(internet.tool(), get("http://" + PUBLIC + ":" + server.port() + "/"))
                                .text())
                        .endsWith("direct");
                assertThat(proxy.hits()).isZero();
            } finally {
                settings.keySet().forEach(System::clearProperty);
            }
        }
    }

    private String url(String host, String query) {
        return "http://" + host + ":" + victim.port() + "/" + query;
    }

    // Without sockets, nothing can leave the machine even if the check were broken.
    private Failure withoutSockets(String url) {
        CallSockets none = new CallSockets();
        none.close();
        RedirectChain chain = new RedirectChain(
                new AddressCheck(AddressPolicy.publicOnly(), internet),
                null,
                new Hop(DefaultClientTlsStrategy.createSystemDefault(), none));
        return catchThrowableOfType(
                        ToolFailure.class,
                        () -> chain.run(new OutgoingRequest(
                                UrlCheck.parse(url), "GET", RequestHeaders.of(Map.of()), Optional.empty())))
                .failure();
    }
}
