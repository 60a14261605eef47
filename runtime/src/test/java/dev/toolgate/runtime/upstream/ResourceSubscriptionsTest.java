package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.http.StreamSettings;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.GuardedSockets;
import dev.toolgate.runtime.network.Resolver;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResourceSubscriptionsTest {
    private static final String WATCHED = "test://watched-resource";
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(50), Duration.ofMillis(200));

    private final List<String> changes = new CopyOnWriteArrayList<>();
    private final Consumer<String> listener = changes::add;
    private @Nullable Upstream upstream;

    @AfterEach
    void close() {
        if (upstream != null) {
            upstream.close();
        }
    }

    private Upstream open(URI url) throws Exception {
        UpstreamEndpoint.Remote remote = new UpstreamEndpoint.Remote(
                url, EndpointCheck.LOOPBACK_WITHOUT_TLS, Map.of(), ServerAuthorization.fixed(Map.of()));
        AddressPolicy loopback = AddressPolicy.publicAnd(List.of("127.0.0.0/8"));
        Upstream opened = new Upstream(
                UpstreamSettings.of("remote", remote),
                new RemoteConnector(remote, new GuardedSockets(loopback, Resolver.SYSTEM), SSLContext.getDefault()),
                UpstreamListener.NONE,
                SHORT);
        upstream = opened;
        return opened;
    }

    /** A server of the legacy era with resources. */
    private static ScriptedMcpServer legacy() throws IOException {
        return new ScriptedMcpServer(Era.LEGACY)
                .on("initialize", initialize())
                .on("resources/subscribe", (message, out) -> ScriptedMcpServer.result(message, out, "{}"))
                .on("resources/unsubscribe", (message, out) -> ScriptedMcpServer.result(message, out, "{}"));
    }

    private static ScriptedMcpServer.Method initialize() {
        AtomicInteger sessions = new AtomicInteger();
        return (message, out) -> RawHttpServer.answer(
                out,
                200,
                "application/json",
                ScriptedMcpServer.response(message, """
                        {"protocolVersion": "2025-11-25", "capabilities": {"resources": {"subscribe": true}},
                         "serverInfo": {"name": "scripted", "version": "1"}}"""),
                "Mcp-Session-Id: " + sessions.incrementAndGet());
    }

    private static List<String> uris(ScriptedMcpServer server, String method) {
        return server.requests(method).stream()
                .map(request -> Json.MAPPER
                        .readTree(request.body())
                        .path("params")
                        .path("uri")
                        .asString())
                .toList();
    }

    private ResourceSource.Subscription subscribe(Upstream to, String uri) {
        return Objects.requireNonNull(to.subscribe(uri, listener));
    }

    @Test
    void the_stream_to_a_modern_server_ends_with_the_last_subscription() throws Exception {
        try (ConformanceServer server =
                ConformanceServer.start(new StreamSettings(Duration.ofMillis(50), Duration.ofSeconds(5)))) {
            Upstream opened = open(URI.create(server.url()));
            ResourceSource.Subscription first = subscribe(opened, WATCHED);
            ResourceSource.Subscription second = subscribe(opened, WATCHED);
            await().untilAsserted(
                            () -> assertThat(server.subscriptions().uris()).containsExactly(WATCHED));

            first.close();
            first.close();
            await().until(() -> {
                server.mcp().subscriptions().publish(new ServerChange.ResourceUpdated(WATCHED), _ -> true);
                return changes.contains(WATCHED);
            });
            second.close();

            await().untilAsserted(
                            () -> assertThat(server.subscriptions().uris()).isEmpty());
            changes.clear();
            subscribe(opened, WATCHED);
            await().until(() -> {
                server.mcp().subscriptions().publish(new ServerChange.ResourceUpdated(WATCHED), _ -> true);
                return changes.contains(WATCHED);
            });
        }
    }

    @Test
    void any_number_of_resources_can_be_subscribed_to_in_turn() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            Upstream opened = open(server.url());
            List<String> all = new ArrayList<>();
            for (int i = 0; i < 1_100; i++) {
                all.add("x://" + i);
                subscribe(opened, "x://" + i).close();
            }

            assertThat(uris(server, "resources/subscribe")).isEqualTo(all);
            await().untilAsserted(() ->
                    assertThat(uris(server, "resources/unsubscribe")).containsExactlyInAnyOrderElementsOf(all));
        }
    }

    @Test
    void too_many_at_once_are_refused_until_one_is_closed() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            Upstream opened = open(server.url());
            List<ResourceSource.Subscription> held = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                held.add(subscribe(opened, "x://" + i));
            }
            assertThat(opened.subscribe("x://more", listener)).isNull();
            subscribe(opened, "x://7").close();

            held.getFirst().close();

            assertThat(opened.subscribe("x://more", listener)).isNotNull();
        }
    }

    @Test
    void a_refused_subscription_is_not_kept() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            AtomicBoolean refusing = new AtomicBoolean(true);
            server.on("resources/subscribe", (message, out) -> {
                if (refusing.get()) {
                    RawHttpServer.answer(
                            out,
                            200,
                            "application/json",
                            "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id")
                                    + ", \"error\": {\"code\": -32002, \"message\": \"There is none.\"}}");
                } else {
                    ScriptedMcpServer.result(message, out, "{}");
                }
            });
            Upstream opened = open(server.url());
            assertThat(opened.subscribe("x://a", listener)).isNull();

            refusing.set(false);

            assertThat(opened.subscribe("x://a", listener)).isNotNull();
            assertThat(uris(server, "resources/subscribe")).containsExactly("x://a", "x://a");
        }
    }

    @Test
    void a_new_session_has_the_subscriptions_of_the_lost_one() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            Upstream opened = open(server.url());
            subscribe(opened, "x://kept");
            subscribe(opened, "x://closed").close();
            await().until(() -> !uris(server, "resources/unsubscribe").isEmpty());

            loseSession(server, opened);

            await().untilAsserted(() -> assertThat(uris(server, "resources/subscribe"))
                    .containsExactly("x://kept", "x://closed", "x://kept"));
        }
    }

    /** Makes a call that finds the session lost, so that there is another one. */
    private static void loseSession(ScriptedMcpServer server, Upstream opened) throws Exception {
        AtomicBoolean lost = new AtomicBoolean(true);
        server.on("resources/list", (message, out) -> {
            if (lost.getAndSet(false)) {
                RawHttpServer.answer(out, 404, "text/plain", "no such session");
            } else {
                ScriptedMcpServer.result(message, out, "{\"resources\": []}");
            }
        });
        assertThat(opened.listResources(CallOptions.DEFAULT)).isEmpty();
    }

    @Test
    void a_restarted_server_that_is_not_ready_is_asked_again() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            Upstream opened = open(server.url());
            subscribe(opened, "x://a");
            subscribe(opened, "x://b");
            AtomicInteger refusals = new AtomicInteger();
            server.on("resources/subscribe", (message, out) -> {
                boolean ready =
                        !message.at("/params/uri").asString("").equals("x://a") || refusals.incrementAndGet() > 2;
                if (ready) {
                    ScriptedMcpServer.result(message, out, "{}");
                } else {
                    RawHttpServer.answer(out, 503, "text/plain", "still starting");
                }
            });

            loseSession(server, opened);

            await().untilAsserted(() -> assertThat(changes).containsExactly("x://b", "x://a"));
            assertThat(uris(server, "resources/subscribe"))
                    .containsExactly("x://a", "x://b", "x://a", "x://b", "x://a", "x://a");
        }
    }

    @Test
    void a_new_subscriber_after_a_reconnect_does_not_hide_a_missed_change() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            Upstream opened = open(server.url());
            subscribe(opened, "x://slow");
            subscribe(opened, "x://a");
            CountDownLatch release = new CountDownLatch(1);
            server.on("resources/subscribe", (message, out) -> {
                if (message.at("/params/uri").asString("").equals("x://slow")) {
                    release.await();
                }
                ScriptedMcpServer.result(message, out, "{}");
            });
            loseSession(server, opened);
            await().until(() -> uris(server, "resources/subscribe").size() == 3);

            assertThat(opened.subscribe("x://a", _ -> {})).isNotNull();
            release.countDown();

            await().untilAsserted(() -> assertThat(changes).containsExactlyInAnyOrder("x://slow", "x://a"));
        }
    }

    /** A server of the modern era with resources. */
    private static ScriptedMcpServer modern(ScriptedMcpServer.Method listen) throws IOException {
        return new ScriptedMcpServer(Era.MODERN)
                .on("server/discover", (message, out) -> ScriptedMcpServer.result(message, out, """
                                {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                 "capabilities": {"resources": {"subscribe": true}}}"""))
                .on("subscriptions/listen", listen);
    }

    @Test
    void a_resource_counts_as_changed_when_its_stream_was_interrupted() throws Exception {
        AtomicInteger streams = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        ScriptedMcpServer.Method listen = (message, out) -> {
            RawHttpServer.open(out, "text/event-stream");
            String uri =
                    message.at("/params/notifications/resourceSubscriptions/0").asString("");
            if (uri.equals("x://a") && streams.getAndIncrement() == 0) {
                throw new IOException("The connection ends here.");
            }
            end.await();
        };
        try (ScriptedMcpServer server = modern(listen)) {
            Upstream opened = open(server.url());
            subscribe(opened, "x://a");
            subscribe(opened, "x://b");

            await().until(() -> streams.get() == 2);

            assertThat(changes).containsExactly("x://a");
        } finally {
            end.countDown();
        }
    }

    @Test
    void a_new_subscriber_after_a_refused_stream_does_not_hide_a_missed_change() throws Exception {
        AtomicInteger streams = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        ScriptedMcpServer.Method listen = (message, out) -> {
            if (streams.getAndIncrement() == 0) {
                RawHttpServer.answer(
                        out,
                        200,
                        "application/json",
                        "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id")
                                + ", \"error\": {\"code\": -32603, \"message\": \"not now\"}}");
            } else {
                RawHttpServer.open(out, "text/event-stream");
                end.await();
            }
        };
        try (ScriptedMcpServer server = modern(listen)) {
            Upstream opened = open(server.url());
            subscribe(opened, "x://a");

            await().until(() -> {
                assertThat(opened.subscribe("x://a", _ -> {})).isNotNull();
                return changes.contains("x://a");
            });

            assertThat(server.requests("server/discover")).as("connections").hasSize(1);
        } finally {
            end.countDown();
        }
    }

    @Test
    void a_session_lost_without_a_call_has_its_subscriptions_again() throws Exception {
        AtomicInteger streams = new AtomicInteger();
        try (ScriptedMcpServer server = legacy()) {
            server.on("GET", (message, out) -> {
                switch (streams.incrementAndGet()) {
                    case 1 -> {
                        RawHttpServer.open(out, "text/event-stream");
                        await().until(() -> !uris(server, "resources/subscribe").isEmpty());
                        throw new IOException("The server restarts");
                    }
                    case 2 -> RawHttpServer.answer(out, 404, "text/plain", "no such session");
                    default -> {
                        RawHttpServer.open(out, "text/event-stream");
                        await().until(() -> uris(server, "resources/subscribe").size() == 2);
                        RawHttpServer.event(
                                out,
                                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/resources/updated\","
                                        + " \"params\": {\"uri\": \"x://a\"}}");
                        new CountDownLatch(1).await();
                    }
                }
            });
            subscribe(open(server.url()), "x://a");

            await().untilAsserted(() -> assertThat(changes).contains("x://a"));
            assertThat(uris(server, "resources/subscribe")).containsExactly("x://a", "x://a");
        }
    }

    @Test
    void subscriptions_continue_at_the_server_with_new_settings() throws Exception {
        try (ScriptedMcpServer before = legacy();
                ScriptedMcpServer after = legacy()) {
            Upstream former = open(before.url());
            ResourceSource.Subscription kept = subscribe(former, "x://kept");
            subscribe(former, "x://closed").close();
            await().until(() -> !uris(before, "resources/unsubscribe").isEmpty());
            Upstream successor = open(after.url());

            successor.takeSubscriptionsOf(former);
            former.close();

            await().untilAsserted(() -> assertThat(changes).containsExactly("x://kept"));
            assertThat(uris(after, "resources/subscribe")).containsExactly("x://kept");
            ResourceSource.Subscription late = subscribe(former, "x://late");
            assertThat(uris(after, "resources/subscribe")).containsExactly("x://kept", "x://late");

            kept.close();
            late.close();

            await().untilAsserted(() ->
                    assertThat(uris(after, "resources/unsubscribe")).containsExactlyInAnyOrder("x://kept", "x://late"));
            assertThat(uris(before, "resources/subscribe")).containsExactly("x://kept", "x://closed");
        }
    }

    @Test
    void a_server_that_refuses_a_resource_later_is_still_connected() throws Exception {
        try (ScriptedMcpServer server = legacy()) {
            Upstream opened = open(server.url());
            subscribe(opened, "x://removed");
            subscribe(opened, "x://kept");
            server.on("resources/subscribe", (message, out) -> {
                boolean removed = message.at("/params/uri").asString("").equals("x://removed");
                String answer = removed ? "\"error\": {\"code\": -32002, \"message\": \"gone\"}" : "\"result\": {}";
                RawHttpServer.answer(
                        out,
                        200,
                        "application/json",
                        "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", " + answer + "}");
            });
            AtomicBoolean down = new AtomicBoolean(true);
            ScriptedMcpServer.Method list =
                    (message, out) -> ScriptedMcpServer.result(message, out, "{\"resources\": []}");
            // New connections fail too, so that it stays unavailable.
            server.on("resources/list", whileUp(down, list))
                    .on("ping", whileUp(down, list))
                    .on("initialize", whileUp(down, initialize()));
            await().until(() -> {
                boolean _ = listed(opened);
                return opened.state() instanceof UpstreamState.Unavailable;
            });

            down.set(false);

            await().until(() -> listed(opened) && opened.state() instanceof UpstreamState.Connected);
            await().untilAsserted(() ->
                    assertThat(uris(server, "resources/subscribe")).endsWith("x://removed", "x://kept"));
        }
    }

    private static ScriptedMcpServer.Method whileUp(AtomicBoolean down, ScriptedMcpServer.Method method) {
        return (message, out) -> {
            if (down.get()) {
                throw new IOException("The connection ends here.");
            }
            method.answer(message, out);
        };
    }

    private static boolean listed(Upstream opened) {
        try {
            opened.listResources(CallOptions.DEFAULT);
            return true;
        } catch (McpFailure unavailable) {
            return false;
        }
    }
}
