package dev.toolgate.mcp.server.http;

import static dev.toolgate.mcp.server.http.McpTestServer.headers;
import static dev.toolgate.mcp.server.http.McpTestServer.json;
import static dev.toolgate.mcp.server.http.McpTestServer.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.fixture.OpenSubscriptions;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A subscription to a resource is closed when its client no longer needs it, or has gone in any way. */
class ResourceSubscriptionsTest {
    private static final StreamSettings KEEPING_ALIVE =
            new StreamSettings(Duration.ofMillis(20), Duration.ofMinutes(1));

    private final OpenSubscriptions open = new OpenSubscriptions();

    /** All resources can be subscribed to, except one, and one for which that cannot be decided. */
    private final class Resources implements OfferedResources {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("resources/list is not expected");
        }

        @Override
        public ListPage templates(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("resources/templates/list is not expected");
        }

        @Override
        public CallOutcome read(RequestContext context, String uri, InputAnswers answers) {
            throw new AssertionError("resources/read is not expected");
        }

        @Override
        public @Nullable ResourceSubscription subscribe(Object caller, String uri) {
            return switch (uri) {
                case "x://none" -> null;
                case "x://undecided" -> throw RpcErrorCode.INTERNAL_ERROR.exception("The database is unavailable.");
                default -> open.open(uri);
            };
        }
    }

    private static final class NoTools implements OfferedTools {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("tools/list is not expected");
        }

        @Override
        public CallOutcome call(RequestContext context, ToolInvocation invocation) {
            throw new AssertionError("tools/call is not expected");
        }
    }

    private McpTestServer server(SessionStore sessions) {
        return new McpTestServer(
                new ServerOffer(
                        new Implementation("t", "1"), null, new NoTools(), new Resources(), null, null, null, Map.of()),
                sessions,
                KEEPING_ALIVE);
    }

    private McpTestServer server() {
        return server(McpTestServer.sessions());
    }

    private static RecordingOutput stream(McpTestServer server, String session) {
        RecordingOutput output = new RecordingOutput();
        CompletableFuture<HttpReply> _ = server.start("GET", "", output, "Mcp-Session-Id", session);
        await().until(output::isOpen);
        return output;
    }

    private static JsonNode send(McpTestServer server, String session, String method, String uri) {
        return json(server.post(
                "{'jsonrpc': '2.0', 'id': '" + method + uri + "', 'method': 'resources/" + method
                        + "', 'params': {'uri': '" + uri + "'}}",
                "Mcp-Session-Id",
                session));
    }

    private void awaitOpen(String... uris) {
        await().untilAsserted(() -> assertThat(open.uris()).containsExactly(uris));
    }

    @Test
    void unsubscribing_closes_a_subscription() {
        try (McpTestServer server = server()) {
            String session = server.initialize("2025-11-25", "{}");
            stream(server, session);
            send(server, session, "subscribe", "x://a");
            send(server, session, "subscribe", "x://a");
            send(server, session, "subscribe", "x://b");
            assertThat(open.uris()).containsExactly("x://a", "x://b");

            send(server, session, "unsubscribe", "x://a");

            assertThat(open.uris()).containsExactly("x://b");
            assertThat(send(server, session, "subscribe", "x://none").has("error"))
                    .isTrue();
        }
    }

    @Test
    void a_client_that_disconnects_is_subscribed_again_when_it_returns() {
        try (McpTestServer server = server()) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput first = stream(server, session);
            send(server, session, "subscribe", "x://a");

            first.disconnect();
            awaitOpen();

            RecordingOutput second = stream(server, session);
            awaitOpen("x://a");
            server.engine.subscriptions().publish(new ServerChange.ResourceUpdated("x://a"), _ -> true);
            assertThat(second.message(0).path("params").path("uri").asString()).isEqualTo("x://a");

            second.vanish(); // noticed by the next keep-alive comment
            awaitOpen();
        }
    }

    @Test
    void a_stream_that_replaces_another_takes_over_its_subscriptions() {
        try (McpTestServer server = server()) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput first = stream(server, session);
            send(server, session, "subscribe", "x://a");

            RecordingOutput second = stream(server, session);
            first.disconnect();

            await().until(first::isClosed);
            awaitOpen("x://a");
            second.disconnect();
            awaitOpen();
        }
    }

    @Test
    void a_session_without_a_stream_holds_no_subscription() {
        try (McpTestServer server = server()) {
            String session = server.initialize("2025-11-25", "{}");

            assertThat(send(server, session, "subscribe", "x://a").has("result"))
                    .isTrue();
            assertThat(open.uris()).isEmpty();

            stream(server, session);
            awaitOpen("x://a");
        }
    }

    @Test
    void ending_a_session_closes_its_subscriptions() {
        try (McpTestServer server = server()) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput stream = stream(server, session);
            send(server, session, "subscribe", "x://a");

            server.send("DELETE", "", new RecordingOutput(), "Mcp-Session-Id", session);

            awaitOpen();
            await().until(stream::isClosed);
        }
    }

    @Test
    void a_stream_follows_what_its_session_does_at_another_instance() {
        SessionStore shared = McpTestServer.sessions();
        try (McpTestServer here = server(shared);
                McpTestServer elsewhere = server(shared)) {
            String session = here.initialize("2025-11-25", "{}");
            RecordingOutput stream = stream(here, session);

            send(elsewhere, session, "subscribe", "x://a");
            send(elsewhere, session, "subscribe", "x://b");
            awaitOpen("x://a", "x://b");
            send(elsewhere, session, "unsubscribe", "x://a");
            awaitOpen("x://b");
            elsewhere.send("DELETE", "", new RecordingOutput(), "Mcp-Session-Id", session);
            awaitOpen();
            await().until(stream::isClosed);
        }
    }

    @Test
    void a_busy_stream_notices_that_its_session_has_ended_elsewhere() {
        SessionStore shared = McpTestServer.sessions();
        try (McpTestServer here = server(shared);
                McpTestServer elsewhere = server(shared)) {
            String session = here.initialize("2025-11-25", "{}");
            RecordingOutput stream = stream(here, session);
            stream.afterWrite(() -> here.engine.subscriptions().publish(new ServerChange.ToolsChanged(), _ -> true));

            elsewhere.send("DELETE", "", new RecordingOutput(), "Mcp-Session-Id", session);

            await().until(stream::isClosed);
        }
    }

    @Test
    void the_subscriptions_of_a_modern_stream_are_closed_with_it() throws Exception {
        try (McpTestServer server = server()) {
            String listen = modern(
                    "subscriptions/listen",
                    "'notifications': {'resourceSubscriptions': ['x://a', 'x://none', 'x://b']}",
                    "{}");
            RecordingOutput first = new RecordingOutput();
            CompletableFuture<HttpReply> reply =
                    server.start("POST", listen, first, headers("subscriptions/listen", ""));
            first.message(0);
            assertThat(open.uris()).containsExactly("x://a", "x://b");

            first.disconnect();
            awaitOpen();
            reply.get();

            RecordingOutput second = new RecordingOutput();
            CompletableFuture<HttpReply> stopped =
                    server.start("POST", listen, second, headers("subscriptions/listen", ""));
            second.message(0);
            server.engine.close();
            stopped.get();
            assertThat(open.uris()).isEmpty();
        }
    }

    @Test
    void a_stream_that_cannot_be_opened_leaves_no_subscription() {
        try (McpTestServer server = server()) {
            String listen =
                    modern("subscriptions/listen", "'notifications': {'resourceSubscriptions': ['x://a']}", "{}");
            String undecided = modern(
                    "subscriptions/listen",
                    "'notifications': {'resourceSubscriptions': ['x://a', 'x://undecided']}",
                    "{}");

            HttpReply refused =
                    server.send("POST", listen, new RecordingOutput().full(), headers("subscriptions/listen", ""));
            HttpReply failed =
                    server.send("POST", undecided, new RecordingOutput(), headers("subscriptions/listen", ""));

            assertThat(McpTestServer.status(refused)).isEqualTo(503);
            assertThat(json(failed).has("error")).isTrue();
            assertThat(open.uris()).isEmpty();
        }
    }
}
