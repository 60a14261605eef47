package dev.toolgate.mcp.server.http;

import static dev.toolgate.mcp.server.http.McpTestServer.headers;
import static dev.toolgate.mcp.server.http.McpTestServer.json;
import static dev.toolgate.mcp.server.http.McpTestServer.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Streams: progress, requests for input, cancellation, change notifications and disconnects. */
class HttpStreamsTest {
    private static final String CALL = "'name': '%s', 'arguments': {}";

    /** A tool that waits until it is cancelled or released. */
    private static final class WaitingTool implements OfferedTools {
        final CountDownLatch started = new CountDownLatch(1);
        final CompletableFuture<String> end = new CompletableFuture<>();

        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("tools/list is not expected");
        }

        @Override
        public CallOutcome call(RequestContext context, ToolInvocation invocation) {
            context.cancelSignal()
                    .onCancel(() ->
                            end.complete("cancelled: " + context.cancelSignal().reason()));
            started.countDown();
            return new CallOutcome.Finished(
                    JsonNodeFactory.instance.objectNode().put("end", end.join()));
        }
    }

    private static McpTestServer serving(OfferedTools tools, StreamSettings streams) {
        return new McpTestServer(
                new ServerOffer(new Implementation("t", "1"), null, tools, null, null, null, null, Map.of()), streams);
    }

    private static String legacyCall(String id, String tool) {
        return "{'jsonrpc': '2.0', 'id': '" + id + "', 'method': 'tools/call', 'params': {'name': '" + tool
                + "', 'arguments': {}, '_meta': {'progressToken': 'p'}}}";
    }

    @Test
    void a_call_that_sends_nothing_before_its_response_is_plain_json() {
        try (McpTestServer server = new McpTestServer()) {
            RecordingOutput output = new RecordingOutput();
            String call = modern("tools/call", CALL.formatted("test_tool_with_progress"), "{}");

            HttpReply reply = server.send("POST", call, output, headers("tools/call", "test_tool_with_progress"));

            assertThat(reply).isInstanceOf(HttpReply.Json.class);
            assertThat(output.isOpen()).isFalse();
        }
    }

    @Test
    void progress_opens_a_stream_that_ends_with_the_response() {
        try (McpTestServer server = new McpTestServer()) {
            RecordingOutput output = new RecordingOutput();
            String call =
                    modern("tools/call", CALL.formatted("test_tool_with_progress"), "{}", ", 'progressToken': 17");

            HttpReply reply = server.send("POST", call, output, headers("tools/call", "test_tool_with_progress"));

            assertThat(reply).isInstanceOf(HttpReply.Streamed.class);
            assertThat(output.messages())
                    .extracting(message -> message.path("method").asString("response"))
                    .containsExactly(
                            "notifications/progress", "notifications/progress", "notifications/progress", "response");
            assertThat(output.message(0).path("params").path("progressToken").asInt())
                    .isEqualTo(17);
            assertThat(output.isClosed()).isTrue();
        }
    }

    @Test
    void a_client_that_accepts_no_streams_still_gets_its_result() {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-11-25", "{'elicitation': {}}");

            HttpReply progress = server.post(
                    legacyCall("1", "test_tool_with_progress"),
                    "Mcp-Session-Id",
                    session,
                    "Accept",
                    "application/json");
            HttpReply question = server.post(
                    legacyCall("2", "test_elicitation_sep1034_defaults"), "Mcp-Session-Id", session, "Accept", "*/*");

            assertThat(json(progress).path("result").has("content")).isTrue();
            assertThat(json(question).path("result").toString()).contains("cancel");
        }
    }

    @Test
    void without_free_streams_calls_get_json_and_subscriptions_503() {
        try (McpTestServer server = new McpTestServer()) {
            String call =
                    modern("tools/call", CALL.formatted("test_tool_with_progress"), "{}", ", 'progressToken': 17");
            String listen = modern("subscriptions/listen", "'notifications': {'toolsListChanged': true}", "{}");

            HttpReply called = server.send(
                    "POST", call, new RecordingOutput().full(), headers("tools/call", "test_tool_with_progress"));
            HttpReply listening =
                    server.send("POST", listen, new RecordingOutput().full(), headers("subscriptions/listen", ""));

            assertThat(json(called).path("result").has("content")).isTrue();
            assertThat(McpTestServer.status(listening)).isEqualTo(503);
        }
    }

    @Test
    void a_long_call_gets_a_stream_which_is_kept_alive() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, McpTestServer.FAST)) {
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply = server.start(
                    "POST", modern("tools/call", CALL.formatted("x"), "{}"), output, headers("tools/call", "x"));

            await().until(() -> output.keepAlives() >= 3);
            tool.end.complete("let go");

            assertThat(reply.get()).isInstanceOf(HttpReply.Streamed.class);
            assertThat(output.message(0).path("result").path("end").asString()).isEqualTo("let go");
        }
    }

    @Test
    void closing_the_stream_cancels_a_modern_call() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, McpTestServer.FAST)) {
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply = server.start(
                    "POST", modern("tools/call", CALL.formatted("x"), "{}"), output, headers("tools/call", "x"));
            await().until(output::isOpen);

            output.vanish(); // noticed by the next keep-alive comment

            assertThat(tool.end.get()).startsWith("cancelled: The client closed");
            reply.get();
            assertThat(output.messages()).isEmpty();
        }
    }

    @Test
    void a_reported_disconnect_cancels_at_once() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, StreamSettings.DEFAULT)) {
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply = server.start(
                    "POST", modern("tools/call", CALL.formatted("x"), "{}"), output, headers("tools/call", "x"));
            tool.started.await();

            output.disconnect();

            assertThat(tool.end.get()).startsWith("cancelled");
            reply.get();
        }
    }

    @Test
    void a_lost_connection_does_not_cancel_a_legacy_call() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, StreamSettings.DEFAULT)) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply =
                    server.start("POST", legacyCall("1", "x"), output, "Mcp-Session-Id", session);
            tool.started.await();

            output.disconnect();
            tool.end.complete("let go");

            reply.get();
            assertThat(tool.end.get()).isEqualTo("let go");
        }
    }

    @Test
    void a_notification_cancels_a_call_without_a_response() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, StreamSettings.DEFAULT)) {
            String session = server.initialize("2025-11-25", "{}");
            String stranger = server.initialize("2025-11-25", "{}");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply =
                    server.start("POST", legacyCall("a", "x"), output, "Mcp-Session-Id", session);
            tool.started.await();
            String cancel = "{'jsonrpc': '2.0', 'method': 'notifications/cancelled', "
                    + "'params': {'requestId': 'a', 'reason': 'enough'}}";

            server.post(cancel, "Mcp-Session-Id", stranger);
            assertThat(tool.end).isNotDone();
            server.post(cancel, "Mcp-Session-Id", session);

            assertThat(tool.end.get()).isEqualTo("cancelled: enough");
            reply.get();
            assertThat(output.messages()).isEmpty();
        }
    }

    @Test
    void an_id_in_flight_is_refused_and_the_first_call_continues() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, StreamSettings.DEFAULT)) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> first =
                    server.start("POST", legacyCall("a", "x"), output, "Mcp-Session-Id", session);
            tool.started.await();

            HttpReply second = server.post(legacyCall("a", "x"), "Mcp-Session-Id", session);

            assertThat(json(second).path("error").path("code").asInt()).isEqualTo(-32600);
            tool.end.complete("let go");
            first.get();
            assertThat(server.post(legacyCall("a", "x"), "Mcp-Session-Id", session))
                    .isInstanceOfSatisfying(
                            HttpReply.Json.class,
                            again -> assertThat(json(again).has("result")).isTrue());
        }
    }

    @Test
    void deleting_a_session_cancels_its_calls_and_stream() throws Exception {
        WaitingTool tool = new WaitingTool();
        try (McpTestServer server = serving(tool, StreamSettings.DEFAULT)) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput listening = new RecordingOutput();
            CompletableFuture<HttpReply> stream = server.start("GET", "", listening, "Mcp-Session-Id", session);
            CompletableFuture<HttpReply> call =
                    server.start("POST", legacyCall("a", "x"), new RecordingOutput(), "Mcp-Session-Id", session);
            tool.started.await();
            await().until(listening::isOpen);

            server.send("DELETE", "", new RecordingOutput(), "Mcp-Session-Id", session);

            assertThat(tool.end.get()).startsWith("cancelled");
            call.get();
            stream.get();
            assertThat(listening.isClosed()).isTrue();
        }
    }

    @Test
    void a_legacy_client_is_asked_over_the_stream() throws Exception {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-06-18", "{'elicitation': {}}");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply = server.start(
                    "POST",
                    legacyCall("1", "test_input_required_result_multi_round"),
                    output,
                    "Mcp-Session-Id",
                    session);

            answer(server, session, output.message(0), "{'action': 'accept', 'content': {'name': 'Ann'}}");
            answer(server, session, output.message(1), "{'action': 'accept', 'content': {'color': 'red'}}");

            reply.get();
            assertThat(output.message(0).path("method").asString()).isEqualTo("elicitation/create");
            assertThat(output.message(0).path("params").has("requestedSchema")).isTrue();
            assertThat(output.message(2).path("result").toString()).contains("Ann likes red");
        }
    }

    private static void answer(McpTestServer server, String session, JsonNode question, String result) {
        HttpReply taken = server.post(
                "{'jsonrpc': '2.0', 'id': " + question.get("id") + ", 'result': " + result + "}",
                "Mcp-Session-Id",
                session);
        assertThat(McpTestServer.status(taken)).isEqualTo(202);
    }

    @Test
    void another_instance_serves_the_session_and_forwards_answers() throws Exception {
        SessionStore shared = McpTestServer.sessions();
        AtomicReference<McpTestServer> first = new AtomicReference<>();
        SessionRelay toFirst = (session, message) -> first.get().engine.receive(session, message);
        try (McpTestServer one = new McpTestServer(shared, SessionRelay.NONE, StreamSettings.DEFAULT);
                McpTestServer two = new McpTestServer(shared, toFirst, StreamSettings.DEFAULT)) {
            first.set(one);
            String session = one.initialize("2025-11-25", "{'sampling': {}}");
            assertThat(json(two.post("{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}", "Mcp-Session-Id", session))
                            .has("result"))
                    .isTrue();
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply =
                    one.start("POST", legacyCall("1", "test_sampling"), output, "Mcp-Session-Id", session);

            answer(two, session, output.message(0), "{'content': {'type': 'text', 'text': 'forty-two'}}");

            reply.get();
            assertThat(output.message(1).path("result").toString()).contains("forty-two");
        }
    }

    @Test
    void only_what_a_cancellation_needs_is_forwarded() {
        List<RpcMessage> forwarded = new CopyOnWriteArrayList<>();
        SessionRelay relay = (_, message) -> forwarded.add(message);
        try (McpTestServer server = new McpTestServer(McpTestServer.sessions(), relay, StreamSettings.DEFAULT)) {
            String session = server.initialize("2025-11-25", "{}");
            for (String params : new String[] {
                "{}",
                "{'requestId': null}",
                "{'requestId': {'a': 1}}",
                "{'requestId': '" + "x".repeat(300) + "'}",
                "{'requestId': 7, 'reason': '" + "y".repeat(100_000) + "', 'more': '" + "z".repeat(100_000) + "'}"
            }) {
                server.post(
                        "{'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': " + params + "}",
                        "Mcp-Session-Id",
                        session);
            }

            assertThat(forwarded)
                    .singleElement()
                    .extracting(message -> String.valueOf(((RpcMessage.Notification) message).params()))
                    .isEqualTo("{\"requestId\":7,\"reason\":\"" + "y".repeat(200) + "\"}");
        }
    }

    @Test
    void changes_a_session_subscribed_to_arrive_on_its_stream() throws Exception {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> stream = server.start("GET", "", output, "Mcp-Session-Id", session);
            await().until(output::isOpen);
            server.engine
                    .subscriptions()
                    .publish(new ServerChange.ResourceUpdated("test://watched-resource"), _ -> true);
            server.post(
                    "{'jsonrpc': '2.0', 'id': 1, 'method': 'resources/subscribe', "
                            + "'params': {'uri': 'test://watched-resource'}}",
                    "Mcp-Session-Id",
                    session);

            server.engine
                    .subscriptions()
                    .publish(new ServerChange.ResourceUpdated("test://watched-resource"), _ -> true);
            server.engine.subscriptions().publish(new ServerChange.ToolsChanged(), "alice"::equals);
            server.engine.subscriptions().publish(new ServerChange.PromptsChanged(), "bob"::equals);

            assertThat(output.message(1).path("method").asString()).isEqualTo("notifications/tools/list_changed");
            assertThat(output.message(0).path("params").toString()).isEqualTo("{\"uri\":\"test://watched-resource\"}");
            server.engine.close();
            stream.get();
            assertThat(output.messages()).hasSize(2);
        }
    }

    @Test
    void a_second_stream_of_a_session_replaces_the_first() throws Exception {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-11-25", "{}");
            RecordingOutput dead = new RecordingOutput();
            CompletableFuture<HttpReply> first = server.start("GET", "", dead, "Mcp-Session-Id", session);
            await().until(dead::isOpen);
            RecordingOutput live = new RecordingOutput();
            CompletableFuture<HttpReply> second = server.start("GET", "", live, "Mcp-Session-Id", session);

            first.get();
            server.engine.subscriptions().publish(new ServerChange.ToolsChanged(), _ -> true);

            assertThat(live.message(0).path("method").asString()).isEqualTo("notifications/tools/list_changed");
            assertThat(dead.messages()).isEmpty();
            server.engine.close();
            second.get();
        }
    }

    @Test
    void a_modern_client_is_notified_of_permitted_resources_and_its_tasks() throws Exception {
        try (McpTestServer server = new McpTestServer()) {
            String tasks = "{'extensions': {'io.modelcontextprotocol/tasks': {}}, 'elicitation': {}}";
            JsonNode task = json(server.post(
                            modern("tools/call", CALL.formatted("confirm_delete"), tasks),
                            headers("tools/call", "confirm_delete")))
                    .path("result");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> stream = server.start(
                    "POST",
                    modern(
                            "subscriptions/listen",
                            "'notifications': {'taskIds': ['"
                                    + task.path("taskId").asString()
                                    + "', 'not-mine'], 'resourceSubscriptions': ['a://b', 'test://watched-resource']}",
                            tasks),
                    output,
                    headers("subscriptions/listen", ""));

            JsonNode acknowledged = output.message(0).path("params").path("notifications");
            assertThat(acknowledged.path("taskIds")).hasSize(1);
            assertThat(acknowledged.path("resourceSubscriptions")).hasSize(1);
            await().until(() -> output.messages()
                    .getLast()
                    .path("params")
                    .path("status")
                    .asString("")
                    .equals("input_required"));
            JsonNode told = output.messages().getLast().path("params");
            String key = told.path("inputRequests").propertyNames().iterator().next();
            server.post(
                    modern(
                            "tasks/update",
                            "'taskId': '" + task.path("taskId").asString() + "', 'inputResponses': {'" + key
                                    + "': {'action': 'accept', 'content': {'confirm': true}}}",
                            tasks),
                    headers("tasks/update", task.path("taskId").asString()));

            await().until(() -> output.messages()
                    .getLast()
                    .path("params")
                    .path("status")
                    .asString("")
                    .equals("completed"));
            server.engine.close();
            stream.get();
            assertThat(output.messages().getLast().path("id").asInt()).isEqualTo(1);
            assertThat(output.messages()
                            .getLast()
                            .path("result")
                            .path("resultType")
                            .asString())
                    .isEqualTo("complete");
        }
    }

    @Test
    void a_task_of_2025_11_25_asks_while_the_client_awaits_its_result() throws Exception {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-11-25", "{'elicitation': {}}");
            JsonNode created = json(server.post(
                            "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': "
                                    + "{'name': 'confirm_delete', 'arguments': {}, 'task': {'ttl': 60000}}}",
                            "Mcp-Session-Id",
                            session))
                    .path("result")
                    .path("task");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply = server.start(
                    "POST",
                    "{'jsonrpc': '2.0', 'id': 2, 'method': 'tasks/result', 'params': {'taskId': '"
                            + created.path("taskId").asString() + "'}}",
                    output,
                    "Mcp-Session-Id",
                    session);

            JsonNode question = output.message(0);
            answer(server, session, question, "{'action': 'accept', 'content': {'confirm': true}}");

            reply.get();
            String related = "{\"taskId\":\"" + created.path("taskId").asString() + "\"}";
            assertThat(question.path("params")
                            .path("_meta")
                            .path("io.modelcontextprotocol/related-task")
                            .toString())
                    .isEqualTo(related);
            JsonNode result = output.message(1).path("result");
            assertThat(result.path("content").toString()).contains("Answered");
            assertThat(result.path("_meta")
                            .path("io.modelcontextprotocol/related-task")
                            .toString())
                    .isEqualTo(related);
        }
    }

    @Test
    void no_task_is_created_unless_the_client_requests_one() {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-11-25", "{}");

            HttpReply reply = server.post(legacyCall("1", "failing_job"), "Mcp-Session-Id", session);

            assertThat(json(reply).path("error").path("code").asInt()).isEqualTo(-32600);
        }
    }

    @Test
    void an_internal_error_of_a_tool_is_not_revealed() {
        OfferedTools broken = new OfferedTools() {
            @Override
            public ListPage list(RequestContext context, @Nullable String cursor) {
                throw new IllegalStateException("secret");
            }

            @Override
            public CallOutcome call(RequestContext context, ToolInvocation invocation) {
                ObjectNode result = JsonNodeFactory.instance.objectNode();
                ArrayNode deepest = result.putArray("a");
                for (int i = 0; i < 5_000; i++) {
                    deepest = deepest.addArray();
                }
                return new CallOutcome.Finished(result);
            }
        };
        try (McpTestServer server = serving(broken, StreamSettings.DEFAULT)) {
            JsonNode list = json(server.post(modern("tools/list", "", "{}"), headers("tools/list", "")));
            JsonNode call =
                    json(server.post(modern("tools/call", CALL.formatted("x"), "{}"), headers("tools/call", "x")));

            assertThat(list.path("error").path("code").asInt()).isEqualTo(-32603);
            assertThat(list.toString()).doesNotContain("secret");
            assertThat(call.path("error").path("message").asString()).contains("deeply");
        }
    }

    @Test
    void an_error_instead_of_an_answer_ends_the_call() throws Exception {
        try (McpTestServer server = new McpTestServer()) {
            String session = server.initialize("2025-11-25", "{'sampling': {}}");
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> reply =
                    server.start("POST", legacyCall("1", "test_sampling"), output, "Mcp-Session-Id", session);
            JsonNode question = output.message(0);

            server.post(
                    "{'jsonrpc': '2.0', 'id': " + question.get("id")
                            + ", 'error': {'code': -1, 'message': 'no model'}}",
                    "Mcp-Session-Id",
                    session);

            reply.get();
            assertThat(output.message(1).path("error").path("code").asInt()).isEqualTo(-1);
            assertThat(output.message(1).path("error").path("message").asString())
                    .contains("no model");
        }
    }
}
