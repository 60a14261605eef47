package dev.toolgate.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.ScriptedMcpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Era;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

class RelayedSessionTest {
    private final JdkHttpExchanger exchanger = new JdkHttpExchanger(Duration.ofSeconds(5));
    private final List<RpcMessage> sentToClient = new CopyOnWriteArrayList<>();
    private ScriptedMcpServer server;
    private HttpTransport transport;
    private RelayedSession session;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedMcpServer(Era.LEGACY);
        server.on(
                "initialize",
                (message, out) -> server.initialize(message, out, "{\"tools\": {\"listChanged\": true}}"));
        transport = new HttpTransport(
                HttpEndpoint.of(server.url(), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                exchanger,
                ServerAuthorization.fixed(Map.of()),
                TransportLimits.DEFAULT);
        session = new RelayedSession(transport, sentToClient::add);
        transport.listener(new McpTransport.Listener() {
            @Override
            public void received(RpcMessage message) {}

            @Override
            public void ended(McpFailure why) {}

            @Override
            public void sessionLost() {
                session.restart();
            }
        });
        session.begin(new RpcMessage.Request(RpcId.of(1), "initialize", JsonNodeFactory.instance.objectNode()));
    }

    @AfterEach
    void stop() throws Exception {
        transport.close();
        exchanger.close();
        server.close();
    }

    private List<String> sessionsOf(String method) {
        return server.requests(method).stream()
                .map(request -> request.headers().getOrDefault("mcp-session-id", "none"))
                .toList();
    }

    @Test
    void a_session_whose_stream_is_lost_is_restarted_without_a_request() {
        loseFirstSession();

        transport.listen(session.headers());

        await().untilAsserted(() -> assertThat(sentToClient)
                .containsExactly(new RpcMessage.Notification("notifications/tools/list_changed", null)));
        assertThat(sessionsOf("initialize")).containsExactly("none", "none");
        assertThat(sessionsOf("notifications/initialized")).containsExactly("session-2");
    }

    private static RpcMessage.Request request(String method, String uri) {
        return new RpcMessage.Request(
                RpcId.of(2), method, JsonNodeFactory.instance.objectNode().put("uri", uri));
    }

    private void learn(String method, String uri, int number) {
        session.learn(
                request(method, uri),
                new RpcMessage.Result(RpcId.of(2), JsonNodeFactory.instance.objectNode()),
                number);
    }

    private List<String> subscribed() {
        return server.requests("resources/subscribe").stream()
                .map(request -> JsonMapper.shared()
                        .readTree(request.body())
                        .at("/params/uri")
                        .asString())
                .toList();
    }

    private List<String> updated() {
        return sentToClient.stream()
                .map(RpcMessage.Notification.class::cast)
                .filter(sent -> sent.method().equals("notifications/resources/updated"))
                .map(sent -> Objects.requireNonNull(sent.params()).path("uri").asString())
                .toList();
    }

    /**
     * Refuses the first subscription to a resource.
     *
     * @param status the HTTP status, or the code of the error
     */
    private void refuseFirst(String uri, int status, Runnable then) {
        AtomicBoolean refused = new AtomicBoolean();
        server.on("resources/subscribe", (message, out) -> {
            if (message.at("/params/uri").asString("").equals(uri) && !refused.getAndSet(true)) {
                then.run();
                if (status > 0) {
                    RawHttpServer.answer(out, status, "text/plain", "");
                } else {
                    String error = "{\"code\": " + status + ", \"message\": \"There is no resource " + uri + "\"}";
                    RawHttpServer.answer(
                            out,
                            200,
                            "application/json",
                            "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", \"error\": " + error + "}");
                }
            } else {
                ScriptedMcpServer.result(message, out, "{}");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {503, -32002, -32603})
    void a_subscription_that_fails_in_a_new_session_is_made_later(int status) throws Exception {
        int lost = session.number();
        learn("resources/subscribe", "x://a", lost);
        learn("resources/subscribe", "x://b", lost);
        refuseFirst("x://a", status, () -> {});

        session.renew(lost);

        await().untilAsserted(() -> assertThat(updated()).containsExactly("x://b", "x://a"));
        assertThat(subscribed()).containsExactly("x://a", "x://b", "x://a");
    }

    @Test
    void a_subscription_that_the_client_has_ended_is_not_repeated() throws Exception {
        int lost = session.number();
        learn("resources/subscribe", "x://a", lost);
        learn("resources/subscribe", "x://b", lost);
        learn("resources/subscribe", "x://c", lost);
        refuseFirst("x://a", -32002, () -> {
            learn("resources/unsubscribe", "x://a", lost);
            learn("resources/unsubscribe", "x://b", lost);
        });

        session.renew(lost);

        await().untilAsserted(() -> assertThat(updated()).containsExactly("x://c"));
        assertThat(subscribed()).containsExactly("x://a", "x://c");
    }

    @Test
    void a_subscription_answered_by_the_lost_session_is_repeated() throws Exception {
        int lost = session.number();
        learn("resources/subscribe", "x://a", lost);
        CountDownLatch learned = new CountDownLatch(1);
        server.on("resources/subscribe", (message, out) -> {
            if (message.at("/params/uri").asString("").equals("x://a")) {
                learned.await();
            }
            ScriptedMcpServer.result(message, out, "{}");
        });
        session.renew(lost);
        await().until(() -> !subscribed().isEmpty());

        learn("resources/subscribe", "x://late", lost);
        learned.countDown();

        await().untilAsserted(() -> assertThat(updated()).containsExactlyInAnyOrder("x://a", "x://late"));
    }

    @Test
    void a_session_that_could_not_be_confirmed_is_replaced_by_the_next() throws Exception {
        confirm(503);
        int lost = session.number();

        assertThatThrownBy(() -> session.renew(lost)).hasMessageContaining("503");
        assertThat(session.mustRenew()).isTrue();
        confirm(202);
        session.renew(lost);

        assertThat(session.mustRenew()).isFalse();
        assertThat(session.number()).isNotEqualTo(lost);
        assertThat(sessionsOf("notifications/initialized"))
                .startsWith("session-2", "session-3")
                .doesNotHaveDuplicates();
    }

    private void confirm(int status) {
        server.on("notifications/initialized", (_, out) -> RawHttpServer.answer(out, status, "text/plain", ""));
    }

    /** Opens every stream; that of the first session ends, and is refused afterwards. */
    private void loseFirstSession() {
        AtomicBoolean opened = new AtomicBoolean();
        server.onRequest("GET", (request, _, out) -> {
            boolean isFirst = "session-1".equals(request.headers().get("mcp-session-id"));
            if (isFirst && opened.getAndSet(true)) {
                RawHttpServer.answer(out, 404, "text/plain", "");
                return;
            }
            RawHttpServer.open(out, "text/event-stream");
            if (isFirst) {
                throw new IOException("The server restarts");
            }
            new CountDownLatch(1).await();
        });
    }

    private List<String> streams() {
        return server.requests().stream()
                .filter(request -> request.method().equals("GET"))
                .map(request -> request.headers().get("mcp-session-id"))
                .toList();
    }

    @Test
    void a_restart_that_fails_is_tried_again_without_a_request() {
        loseFirstSession();
        confirm(503);
        transport.listen(session.headers());
        await().until(() -> sessionsOf("notifications/initialized").contains("session-2"));

        confirm(202);

        await().untilAsserted(() -> assertThat(sentToClient)
                .containsExactly(new RpcMessage.Notification("notifications/tools/list_changed", null)));
        await().untilAsserted(() -> assertThat(streams().getLast()).isNotEqualTo("session-1"));
    }

    @Test
    void a_restart_that_fails_for_a_request_is_tried_again_without_another() {
        server.on("GET", (_, out) -> {
            RawHttpServer.open(out, "text/event-stream");
            new CountDownLatch(1).await();
        });
        confirm(503);
        transport.listen(session.headers());
        await().until(() -> streams().contains("session-1"));
        assertThatThrownBy(() -> session.renew(session.number())).hasMessageContaining("503");

        confirm(202);

        await().untilAsserted(() -> assertThat(streams().getLast()).isNotEqualTo("session-1"));
        assertThat(session.mustRenew()).isFalse();
    }
}
