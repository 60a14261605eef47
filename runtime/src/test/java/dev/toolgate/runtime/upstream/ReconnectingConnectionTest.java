package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** What happens at the same time as the loss of a session. */
@Timeout(60)
class ReconnectingConnectionTest {
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(1), Duration.ofMillis(1));
    private static final UpstreamSettings SETTINGS =
            UpstreamSettings.of("remote", UpstreamEndpoint.Remote.of(URI.create("https://example.org/mcp")));

    private final BlockingQueue<LosingTransport> inUse = new LinkedBlockingQueue<>();
    private volatile LosingTransport last = new LosingTransport();
    private final AtomicInteger interrupted = new AtomicInteger();

    @Test
    void a_call_that_begins_while_the_session_is_lost_is_not_interrupted() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        List<Future<?>> calling = new ArrayList<>();
        try (ReconnectingConnection connection =
                        new ReconnectingConnection(SETTINGS, new Transports(), SHORT, new Connected());
                ExecutorService callers = Executors.newFixedThreadPool(4)) {
            connection.start();
            for (int i = 0; i < 4; i++) {
                calling.add(callers.submit(() -> callUntil(done, connection)));
            }
            for (int i = 0; i < 1_000; i++) {
                Objects.requireNonNull(inUse.poll(10, TimeUnit.SECONDS)).loseSession();
            }
            done.set(true);
            for (Future<?> each : calling) {
                each.get();
            }
        } finally {
            done.set(true);
        }
        assertThat(interrupted).hasValue(0);
    }

    private static void callUntil(AtomicBoolean done, ReconnectingConnection connection) {
        while (!done.get()) {
            try {
                connection.use(open -> {
                    if (open.isOver()) {
                        open.client().ping(CallOptions.DEFAULT);
                    }
                    return open;
                });
            } catch (McpFailure unreachable) {
                // The connection is being opened again, or the transport has counted the failure.
            }
        }
    }

    private final class Transports implements ServerConnector {
        @Override
        public McpTransport open() {
            last = new LosingTransport();
            return last;
        }

        @Override
        public void close() {}
    }

    /** A server in memory, which can lose the session. */
    private final class LosingTransport implements McpTransport {
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile boolean lost;
        private volatile @Nullable Listener listener;

        void loseSession() {
            lost = true;
            Objects.requireNonNull(listener).sessionLost();
        }

        @Override
        public RpcMessage.Response exchange(ClientCall call) throws McpFailure {
            if (lost && isClosedSoon()) {
                interrupted.incrementAndGet();
                throw new McpFailure(McpFailureKind.CONNECTION_LOST, "It was closed during a call.");
            }
            return new RpcMessage.Result(call.id(), (ObjectNode) Json.MAPPER.readTree("""
                    {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}}"""));
        }

        private boolean isClosedSoon() {
            try {
                return closed.await(2, TimeUnit.MILLISECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void listener(Listener receiver) {
            listener = receiver;
        }

        @Override
        public void send(RpcMessage message, Map<String, String> headers) {}

        @Override
        public void listen(Map<String, String> headers) {}

        @Override
        public boolean hasStreamPerRequest() {
            return true;
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private final class Connected implements ReconnectingConnection.Owner {
        @Override
        public void listTools(ServerConnection open) {}

        @Override
        public void subscribe(ServerConnection open) {}

        @Override
        public void sessionOpened() {
            inUse.add(last);
        }

        @Override
        public boolean hasSubscriptions() {
            return false;
        }

        @Override
        public boolean hasListedTools() {
            return true;
        }

        @Override
        public void stateChanged() {}

        @Override
        public void promptsChanged() {}

        @Override
        public void resourcesChanged() {}

        @Override
        public void resourceUpdated(String uri) {}
    }
}
