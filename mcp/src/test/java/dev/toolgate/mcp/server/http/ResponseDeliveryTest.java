package dev.toolgate.mcp.server.http;

import static dev.toolgate.mcp.server.http.McpTestServer.headers;
import static dev.toolgate.mcp.server.http.McpTestServer.json;
import static dev.toolgate.mcp.server.http.McpTestServer.modern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.server.EngineSettings;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import dev.toolgate.mcp.server.stdio.StdioServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** A tool learns once whether the response to its call was written. */
class ResponseDeliveryTest {
    private static final String CALL = modern("tools/call", "'name': 'kept', 'arguments': {}", "{}");

    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();

    /** Wants to know what became of its response. */
    private final class KeptTool implements OfferedTools {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end;

        KeptTool(CountDownLatch end) {
            this.end = end;
        }

        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("tools/list is not expected");
        }

        @Override
        public CallOutcome call(RequestContext context, ToolInvocation invocation) throws InterruptedException {
            context.onDelivery(deliveries::add);
            begun.countDown();
            end.await();
            if (invocation.name().equals("failing")) {
                throw RpcErrorCode.INVALID_REQUEST.exception("It fails.");
            }
            return new CallOutcome.Finished(
                    JsonNodeFactory.instance.objectNode().put("kept", true));
        }
    }

    private KeptTool atOnce() {
        return new KeptTool(new CountDownLatch(0));
    }

    private static ServerOffer offer(OfferedTools tools) {
        return new ServerOffer(new Implementation("t", "1"), null, tools, null, null, null, null, Map.of());
    }

    private static McpTestServer serving(OfferedTools tools) {
        return new McpTestServer(offer(tools), StreamSettings.DEFAULT);
    }

    @Test
    void a_response_that_must_arrive_is_written_to_a_stream() {
        try (McpTestServer server = serving(atOnce())) {
            RecordingOutput output = new RecordingOutput();
            output.afterWrite(() -> assertThat(deliveries).isEmpty());

            assertThat(server.send("POST", CALL, output, headers("tools/call", "kept")))
                    .isInstanceOf(HttpReply.Streamed.class);

            assertThat(output.message(0).path("result").path("kept").asBoolean())
                    .isTrue();
            assertThat(deliveries).containsExactly(Delivery.WRITTEN);
        }
    }

    @Test
    void a_response_to_a_client_that_has_gone_is_lost() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        KeptTool tool = new KeptTool(end);
        try (McpTestServer server = serving(tool)) {
            RecordingOutput output = new RecordingOutput();
            String session = server.initialize("2025-11-25", "{}");
            CompletableFuture<HttpReply> reply = server.start(
                    "POST",
                    "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'kept'}}",
                    output,
                    "Mcp-Session-Id",
                    session);
            tool.begun.await();
            output.vanish();
            end.countDown();

            reply.join();
            assertThat(deliveries).containsExactly(Delivery.LOST);
        }
    }

    @Test
    void the_response_to_a_cancelled_call_is_lost() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        KeptTool tool = new KeptTool(end);
        try (McpTestServer server = serving(tool)) {
            String session = server.initialize("2025-11-25", "{}");
            CompletableFuture<HttpReply> reply = server.start(
                    "POST",
                    "{'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': 'kept'}}",
                    new RecordingOutput(),
                    "Mcp-Session-Id",
                    session);
            tool.begun.await();
            server.post(
                    "{'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 1}}",
                    "Mcp-Session-Id",
                    session);
            end.countDown();

            assertThat(McpTestServer.status(reply.join())).isEqualTo(202);
            assertThat(deliveries).containsExactly(Delivery.LOST);
        }
    }

    @Test
    void without_a_stream_a_response_is_whole_and_counts_as_written() {
        try (McpTestServer server = serving(atOnce())) {
            HttpReply full = server.send("POST", CALL, new RecordingOutput().full(), headers("tools/call", "kept"));
            HttpReply refused = server.send(
                    "POST", CALL.replace("kept", "failing"), new RecordingOutput(), headers("tools/call", "failing"));

            assertThat(json(full).path("result").path("kept").asBoolean()).isTrue();
            assertThat(McpTestServer.status(refused)).isEqualTo(400);
            assertThat(deliveries).containsExactly(Delivery.WRITTEN, Delivery.WRITTEN);
        }
    }

    @Test
    void over_a_pipe_a_response_is_written_or_lost_too() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        serve(out);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"kept\":true");
        serve(new OutputStream() {
            @Override
            public void write(int written) throws IOException {
                throw new IOException("The pipe is closed.");
            }
        });

        await().untilAsserted(() -> assertThat(deliveries).containsExactly(Delivery.WRITTEN, Delivery.LOST));
    }

    private void serve(OutputStream out) throws IOException {
        try (McpEngine engine = new McpEngine(offer(atOnce()), SessionRelay.NONE, EngineSettings.DEFAULT)) {
            new StdioServer(
                            engine,
                            RpcLimits.DEFAULT,
                            new ByteArrayInputStream((CALL + "\n").getBytes(StandardCharsets.UTF_8)),
                            out,
                            "me")
                    .run();
        }
    }
}
