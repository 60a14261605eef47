package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.protocol.McpMethods;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Keeps a {@code subscriptions/listen} request open until it is closed, and reopens it when it breaks. */
final class ListenLoop implements McpSubscription, Runnable {
    private static final Logger log = LoggerFactory.getLogger(ListenLoop.class);
    private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 6;

    private final McpClient client;
    private final ObjectNode params;
    private final NotificationListener listener;
    private final CallCancellation cancellation = new CallCancellation();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean open = true;

    ListenLoop(McpClient client, ObjectNode filter, NotificationListener listener) {
        this.client = client;
        this.params = JsonNodeFactory.instance.objectNode();
        this.params.set("notifications", filter);
        this.listener = listener;
    }

    @Override
    public void run() {
        CallOptions options = CallOptions.DEFAULT.withTimeout(CallTimeout.NONE).withCancellation(cancellation);
        int failures = 0;
        try {
            while (open) {
                long started = System.nanoTime();
                try {
                    client.request(McpMethods.LISTEN, params, options);
                } catch (McpFailure failed) {
                    if (isFinal(failed.kind())) {
                        log.debug("The server's notifications are not available: {}", failed.getMessage());
                        return;
                    }
                }
                failures = System.nanoTime() - started > TimeUnit.MINUTES.toNanos(1) ? 0 : failures + 1;
                long pause = MIN_PAUSE.toNanos() << Math.min(failures, MAX_DOUBLINGS);
                if (closed.await(pause, TimeUnit.NANOSECONDS)) {
                    return;
                }
                listener.resumed();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            open = false;
        }
    }

    private static boolean isFinal(McpFailureKind kind) {
        return switch (kind) {
            case SERVER_ERROR, CANCELLED, UNAUTHORIZED, ADDRESS_REFUSED, NOT_SENT, INPUT_REFUSED, INVALID_ANSWER ->
                true;
            case TOO_LARGE, TIMEOUT, CONNECTION_LOST, UNREACHABLE, CREDENTIALS_UNAVAILABLE, SESSION_LOST, HTTP_STATUS ->
                false;
        };
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        closed.countDown();
        cancellation.cancel("The subscription is no longer needed.");
    }
}
