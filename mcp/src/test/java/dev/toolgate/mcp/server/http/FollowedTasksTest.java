package dev.toolgate.mcp.server.http;

import static dev.toolgate.mcp.server.http.McpTestServer.headers;
import static dev.toolgate.mcp.server.http.McpTestServer.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTasks;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.OutgoingMessage;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tasks learn whether their outcome was written to a client that listens or asks for it. */
class FollowedTasksTest {
    private static final String TASKS = "{'extensions': {'io.modelcontextprotocol/tasks': {}}}";
    private static final String MINE = "mine";

    private final List<String> queried = new CopyOnWriteArrayList<>();
    private final List<Delivery> outcomes = new CopyOnWriteArrayList<>();
    private volatile TaskState.Status status = new TaskState.Working();

    /** One task that ends when the test says so. */
    private final class OneTask implements OfferedTasks {
        @Override
        public @Nullable TaskState get(RequestContext context, String taskId) {
            queried.add(taskId);
            return taskId.equals(MINE)
                    ? new TaskState(MINE, status, null, Instant.EPOCH, Instant.EPOCH, null, Duration.ofMillis(10))
                    : null;
        }

        @Override
        public void sendingOutcome(RequestContext context, String taskId, OutgoingMessage message) {
            assertThat(taskId).isEqualTo(MINE);
            message.onDelivery(outcomes::add);
        }

        @Override
        public @Nullable TaskState await(RequestContext context, String taskId) {
            return get(context, taskId);
        }

        @Override
        public @Nullable TaskState answer(RequestContext context, String taskId, Map<String, JsonNode> responses) {
            return get(context, taskId);
        }

        @Override
        public @Nullable TaskState cancel(RequestContext context, String taskId) {
            return get(context, taskId);
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

    private McpTestServer server() {
        return new McpTestServer(
                new ServerOffer(
                        new Implementation("t", "1"), null, new NoTools(), null, null, null, new OneTask(), Map.of()),
                StreamSettings.DEFAULT);
    }

    private static CompletableFuture<HttpReply> listen(McpTestServer server, RecordingOutput output, String ids) {
        return server.start(
                "POST",
                modern("subscriptions/listen", "'notifications': {'taskIds': [" + ids + "]}", TASKS),
                output,
                headers("subscriptions/listen", ""));
    }

    private void end() {
        status = new TaskState.Completed(JsonNodeFactory.instance.objectNode().put("done", true));
    }

    @Test
    void an_outcome_is_delivered_after_it_was_written_to_a_stream() throws Exception {
        try (McpTestServer server = server()) {
            RecordingOutput output = new RecordingOutput();
            List<Integer> deliveredBefore = new CopyOnWriteArrayList<>();
            output.afterWrite(() -> deliveredBefore.add(outcomes.size()));
            CompletableFuture<HttpReply> stream = listen(server, output, "'" + MINE + "'");
            assertThat(output.message(1).path("params").path("status").asString())
                    .isEqualTo("working");
            end();

            assertThat(output.message(2)
                            .path("params")
                            .path("result")
                            .path("done")
                            .asBoolean())
                    .isTrue();
            await().untilAsserted(() -> assertThat(outcomes).containsExactly(Delivery.WRITTEN));
            assertThat(deliveredBefore).hasSize(4).containsOnly(0); // with the first keep-alive
            server.engine.close();
            stream.get();
        }
    }

    @Test
    void an_outcome_for_a_stream_that_is_dead_is_lost() throws Exception {
        try (McpTestServer server = server()) {
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> stream = listen(server, output, "'" + MINE + "'");
            output.message(1);
            output.vanish();
            end();

            stream.get();
            assertThat(outcomes).containsExactly(Delivery.LOST);
        }
    }

    @Test
    void an_outcome_is_sent_by_a_query_and_not_by_a_cancellation() {
        try (McpTestServer server = server()) {
            end();
            String task = "'taskId': '" + MINE + "'";
            server.post(modern("tasks/cancel", task, TASKS), headers("tasks/cancel", MINE));
            assertThat(outcomes).isEmpty();

            server.post(modern("tasks/get", task, TASKS), headers("tasks/get", MINE));

            assertThat(outcomes).containsExactly(Delivery.WRITTEN);
        }
    }

    @Test
    void of_a_thousand_tasks_that_are_asked_for_a_few_are_queried() throws Exception {
        try (McpTestServer server = server()) {
            String unknown =
                    IntStream.range(0, 1000).mapToObj(i -> "'t" + i + "'").collect(Collectors.joining(","));
            RecordingOutput output = new RecordingOutput();
            CompletableFuture<HttpReply> stream = listen(server, output, unknown);

            assertThat(output.message(0).path("params").path("notifications").has("taskIds"))
                    .isFalse();
            assertThat(queried).hasSize(20);
            server.engine.close();
            stream.get();
        }
    }
}
