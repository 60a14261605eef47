package dev.toolgate.mcp.client.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A program that does not read makes other messages wait for the one that is being written. */
class StdioWriteTest {
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch reads = new CountDownLatch(1);

    /** A program that reads nothing until it is told to. */
    private final class SlowProcess extends PipedProcess {
        private final OutputStream slow = new FilterOutputStream(super.stdin()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                writing.countDown();
                try {
                    reads.await();
                } catch (InterruptedException stopped) {
                    throw new InterruptedIOException();
                }
                out.write(bytes, offset, length);
            }
        };

        SlowProcess() throws IOException {
            super((message, self) -> {});
        }

        @Override
        public OutputStream stdin() {
            return slow;
        }
    }

    private static ClientCall call(String method) {
        RpcMessage.Request request = new RpcMessage.Request(RpcId.of(method), method, null);
        return new ClientCall(
                request.id(),
                method,
                RpcWriter.bytes(request),
                Map.of(),
                CallTimeout.of(Duration.ofSeconds(20)),
                _ -> {});
    }

    private static McpFailure failure(StdioTransport transport, ClientCall call) {
        return catchThrowableOfType(McpFailure.class, () -> transport.exchange(call));
    }

    @Test
    void a_call_that_is_cancelled_while_another_is_written_is_not_sent() throws Exception {
        SlowProcess process = new SlowProcess();
        try (StdioTransport transport = new StdioTransport(process, TransportLimits.DEFAULT, StdioTimeouts.DEFAULT)) {
            Thread.ofPlatform().daemon().start(() -> failure(transport, call("first")));
            writing.await();
            ClientCall second = call("second");
            CompletableFuture<McpFailure> failed = new CompletableFuture<>();
            Thread waiting = Thread.ofPlatform().daemon().start(() -> failed.complete(failure(transport, second)));
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

            second.end(new McpFailure(McpFailureKind.CANCELLED, "Enough."));
            reads.countDown();

            assertThat(failed.get().kind()).isEqualTo(McpFailureKind.CANCELLED);
            assertThat(second.wasSent()).isFalse();
            transport.send(new RpcMessage.Notification("last", null), Map.of());
            await().until(() -> process.received().stream().anyMatch(line -> line.contains("last")));
            assertThat(process.received()).noneMatch(line -> line.contains("second"));
        }
    }
}
