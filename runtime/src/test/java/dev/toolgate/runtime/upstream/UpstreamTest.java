package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.GuardedSockets;
import dev.toolgate.runtime.network.Resolver;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** HTTP servers that stop, restart, lose sessions and change their lists. */
class UpstreamTest {
    private static final AddressPolicy LOOPBACK = AddressPolicy.publicAnd(List.of("127.0.0.0/8"));
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(50), Duration.ofMillis(200));

    /** Longer than any test waits. */
    private static final BackOff LONG = new BackOff(Duration.ofHours(1), Duration.ofHours(1));

    private static final String TOOLS = "{\"tools\": [{\"name\": \"add\", \"inputSchema\": {\"type\": \"object\"}}]}";
    private static final String RESULT = "{\"content\": [{\"type\": \"text\", \"text\": \"3\"}]}";

    private final Listening listener = new Listening();
    private @Nullable Upstream upstream;

    private static final class Listening implements UpstreamListener {
        private final List<List<ObjectNode>> lists = new CopyOnWriteArrayList<>();
        private final List<UpstreamState> states = new CopyOnWriteArrayList<>();

        @Override
        public void toolsListed(List<ObjectNode> definitions) {
            lists.add(definitions);
        }

        @Override
        public void stateChanged(UpstreamState state) {
            states.add(state);
        }
    }

    @AfterEach
    void close() {
        if (upstream != null) {
            upstream.close();
        }
    }

    private Upstream open(URI url, AddressPolicy addresses, EndpointCheck check, BackOff backOff) throws Exception {
        UpstreamEndpoint.Remote remote =
                new UpstreamEndpoint.Remote(url, check, Map.of(), ServerAuthorization.fixed(Map.of()));
        Upstream opened = new Upstream(
                UpstreamSettings.of("remote", remote),
                new RemoteConnector(remote, new GuardedSockets(addresses, Resolver.SYSTEM), SSLContext.getDefault()),
                listener,
                backOff);
        upstream = opened;
        return opened;
    }

    private Upstream open(ScriptedMcpServer server, BackOff backOff) throws Exception {
        return open(server.url(), LOOPBACK, EndpointCheck.LOOPBACK_WITHOUT_TLS, backOff);
    }

    private static ScriptedMcpServer server(Era era) throws IOException {
        return new ScriptedMcpServer(era)
                .on("tools/list", (message, out) -> ScriptedMcpServer.result(message, out, TOOLS))
                .on("tools/call", (message, out) -> ScriptedMcpServer.result(message, out, RESULT));
    }

    private static ObjectNode add(Upstream upstream) throws McpFailure {
        return UncheckedCalls.call(upstream, "add");
    }

    private static McpFailure failure(Upstream upstream) {
        return catchThrowableOfType(McpFailure.class, () -> add(upstream));
    }

    @Test
    void a_server_is_contacted_only_when_needed() throws Exception {
        try (ScriptedMcpServer server = server(Era.MODERN)) {
            Upstream opened = open(server, LONG);
            assertThat(opened.state()).isInstanceOf(UpstreamState.NotStarted.class);
            assertThat(server.requests()).isEmpty();

            assertThat(add(opened).path("content").path(0).path("text").asString())
                    .isEqualTo("3");

            assertThat(opened.state()).isInstanceOf(UpstreamState.Connected.class);
            assertThat(opened.definitions()).hasSize(1);
            assertThat(listener.lists).hasSize(1);
            assertThat(server.requests("tools/list")).hasSize(1);
        }
    }

    @Test
    void calls_to_an_unreachable_server_fail_at_once_during_back_off() throws Exception {
        ScriptedMcpServer server = server(Era.MODERN);
        Upstream opened = open(server, LONG);
        add(opened);
        server.close();

        assertThat(failure(opened).kind()).isIn(McpFailureKind.UNREACHABLE, McpFailureKind.CONNECTION_LOST);
        Awaitility.await().until(() -> opened.state() instanceof UpstreamState.Unavailable);
        Awaitility.await().until(() -> failure(opened).kind() == McpFailureKind.UNREACHABLE);
        McpFailure atOnce = failure(opened);
        assertThat(atOnce).hasMessageContaining("cannot be reached");
        assertThat(opened.definitions()).as("the last list is kept").hasSize(1);
        assertThat(listener.states.getLast()).isInstanceOf(UpstreamState.Unavailable.class);
    }

    @Test
    void a_server_is_reconnected_when_it_is_reachable_again() throws Exception {
        AtomicBoolean away = new AtomicBoolean(true);
        try (ScriptedMcpServer server = server(Era.MODERN)) {
            server.on("server/discover", (message, out) -> {
                if (away.get()) {
                    RawHttpServer.answer(out, 503, "text/plain", "starting");
                } else {
                    ScriptedMcpServer.result(
                            message,
                            out,
                            "{\"supportedVersions\": [\"2026-07-28\"], \"capabilities\": {\"tools\": {}}}");
                }
            });
            Upstream opened = open(server, SHORT);
            assertThat(catchThrowableOfType(McpFailure.class, opened::refresh)).isNotNull();
            away.set(false);

            Awaitility.await().until(() -> opened.state() instanceof UpstreamState.Connected);
            assertThat(opened.definitions()).hasSize(1);
        }
    }

    @Test
    void a_call_with_a_lost_connection_is_not_sent_again() throws Exception {
        try (ScriptedMcpServer server = server(Era.MODERN)) {
            server.on("tools/call", (message, out) -> {
                throw new IOException("The connection ends here.");
            });
            Upstream opened = open(server, SHORT);

            assertThat(failure(opened).kind()).isEqualTo(McpFailureKind.CONNECTION_LOST);

            assertThat(server.requests("tools/call")).hasSize(1);
            server.on("tools/call", (message, out) -> ScriptedMcpServer.result(message, out, RESULT));
            Awaitility.await().ignoreExceptions().until(() -> add(opened).has("content"));
        }
    }

    @Test
    void a_lost_session_is_restarted_and_the_tools_are_listed_again() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        AtomicReference<String> tools = new AtomicReference<>(TOOLS);
        try (ScriptedMcpServer server = server(Era.LEGACY)) {
            server.on("tools/list", (message, out) -> ScriptedMcpServer.result(message, out, tools.get()));
            server.on("tools/call", (message, out) -> {
                if (refusals.getAndIncrement() == 0) {
                    RawHttpServer.answer(out, 404, "text/plain", "no such session");
                } else {
                    ScriptedMcpServer.result(message, out, RESULT);
                }
            });
            Upstream opened = open(server, LONG);
            opened.refresh();
            tools.set("{\"tools\": []}");

            assertThat(add(opened).has("content")).isTrue();

            assertThat(server.requests("initialize")).hasSize(2);
            Awaitility.await().until(() -> opened.definitions().isEmpty());
            assertThat(listener.lists).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void tools_are_listed_again_after_a_list_changed_notification(Era era) throws Exception {
        AtomicReference<String> tools = new AtomicReference<>(TOOLS);
        CountDownLatch change = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ScriptedMcpServer.Method stream = (message, out) -> {
            RawHttpServer.open(out, "text/event-stream");
            change.await();
            RawHttpServer.event(out, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/tools/list_changed\"}");
            end.await();
        };
        try (ScriptedMcpServer server = server(era)) {
            server.on("tools/list", (message, out) -> ScriptedMcpServer.result(message, out, tools.get()))
                    .on("subscriptions/listen", stream)
                    .on("GET", stream);
            Upstream opened = open(server, LONG);
            opened.refresh();
            tools.set("{\"tools\": []}");
            change.countDown();

            Awaitility.await().until(() -> opened.definitions().isEmpty());
            assertThat(listener.lists).hasSize(2);
        } finally {
            end.countDown();
        }
    }

    @Test
    void prompts_and_resources_are_listed() throws Exception {
        try (ConformanceServer server = ConformanceServer.start()) {
            Upstream opened = open(URI.create(server.url()), LOOPBACK, EndpointCheck.LOOPBACK_WITHOUT_TLS, LONG);
            assertThat(new UpstreamPrompts(opened).prompts()).isNotEmpty();
            assertThat(new UpstreamResources(opened).resources()).isNotEmpty();
            assertThat(new UpstreamResources(opened).templates()).isNotEmpty();
            assertThat(opened.listPrompts(CallOptions.DEFAULT)).isEqualTo(new UpstreamPrompts(opened).prompts());
        }
    }

    @Test
    void loopback_and_http_are_refused_unless_they_are_allowed() throws Exception {
        try (ScriptedMcpServer server = server(Era.MODERN)) {
            McpFailure internal =
                    failure(open(server.url(), AddressPolicy.publicOnly(), EndpointCheck.LOOPBACK_WITHOUT_TLS, LONG));
            assertThat(internal).hasMessageContaining("may not be reached: it is a loopback address");
            close();
            McpFailure plain = failure(open(server.url(), LOOPBACK, EndpointCheck.TLS_ONLY, LONG));
            assertThat(plain.kind()).isEqualTo(McpFailureKind.ADDRESS_REFUSED);
            assertThat(plain).hasMessageContaining("must use https");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void a_response_over_10_mb_is_aborted_and_the_server_stays_usable() throws Exception {
        try (ScriptedMcpServer server = server(Era.MODERN)) {
            server.on(
                    "tools/call",
                    (message, out) -> ScriptedMcpServer.result(
                            message,
                            out,
                            "{\"content\": [{\"type\": \"text\", \"text\": \"" + "x".repeat(11 << 20) + "\"}]}"));
            Upstream opened = open(server, LONG);
            assertThat(failure(opened).kind()).isEqualTo(McpFailureKind.TOO_LARGE);
            server.on("tools/call", (message, out) -> ScriptedMcpServer.result(message, out, RESULT));
            assertThat(add(opened).has("content")).isTrue();
        }
    }

    @Test
    void a_closed_server_refuses_calls() throws Exception {
        try (ScriptedMcpServer server = server(Era.LEGACY)) {
            Upstream opened = open(server, LONG);
            add(opened);
            opened.close();
            assertThat(failure(opened)).hasMessageContaining("has been removed");
            assertThat(opened.state()).isInstanceOf(UpstreamState.NotStarted.class);
            assertThat(server.requests())
                    .anySatisfy(request -> assertThat(request.method()).isEqualTo("DELETE"));
        }
    }
}
