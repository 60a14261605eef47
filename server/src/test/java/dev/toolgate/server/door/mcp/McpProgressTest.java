package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.EngineReply;
import dev.toolgate.mcp.server.EngineSettings;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.Peer;
import dev.toolgate.mcp.server.ReplyStream;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.CancelSignal;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** Messages to a client whose call waits for an approval, while its connection accepts none. */
@Timeout(60)
class McpProgressTest {
    private final CountDownLatch isWriting = new CountDownLatch(1);
    private final CountDownLatch reads = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();

    /** Held until its client is told so, and then approved. */
    private final class HeldTool implements OfferedTools {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("tools/list is not expected");
        }

        @Override
        public CallOutcome call(RequestContext context, ToolInvocation invocation) throws InterruptedException {
            try (McpProgress progress = new McpProgress(context, InteractiveCalls.InputRequester.NONE)) {
                progress.onHeld(
                        new CallListener.Question(UUID.randomUUID(), Instant.EPOCH, "It needs an approval", null));
                isWriting.await();
                progress.onStart();
            }
            return new CallOutcome.Finished(Json.MAPPER.createObjectNode());
        }
    }

    /** A stream whose client reads slowly. */
    private final class SlowStream implements ReplyStream {
        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void send(RpcMessage message) {
            throw new AssertionError("Progress may be lost: it is offered.");
        }

        @Override
        public void offer(RpcMessage message) {
            isWriting.countDown();
            try {
                reads.await();
            } catch (InterruptedException closed) {
                interrupted.set(true);
            }
            written.countDown();
        }

        @Override
        public void onDelivery(Consumer<Delivery> listener) {}
    }

    @Test
    void an_approval_does_not_interrupt_a_message_that_is_being_written() throws Exception {
        McpEngine engine = new McpEngine(
                new ServerOffer(new Implementation("t", "1"), null, new HeldTool(), null, null, null, null, Map.of()),
                SessionRelay.NONE,
                EngineSettings.DEFAULT);

        EngineReply reply = engine.answer(
                new RpcMessage.Request(RpcId.of(1), "tools/call", (ObjectNode) Json.MAPPER.readTree("""
                        {"name": "held", "arguments": {}, "_meta": {"progressToken": 7}}""")),
                new Peer(Revision.R2026_07_28, null, ClientCapabilities.NONE, null, "caller", null, null),
                new SlowStream(),
                new CancelSignal());
        reads.countDown();

        assertThat(reply).isInstanceOf(EngineReply.Success.class);
        written.await();
        assertThat(interrupted).isFalse();
        engine.close();
    }
}
