package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.NotificationRetry;
import dev.toolgate.mcp.protocol.McpMethods;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Keeps a {@code subscriptions/listen} request open until it is closed, and reopens it when it breaks. */
final class ListenLoop implements McpSubscription, Runnable {
    private static final Logger log = LoggerFactory.getLogger(ListenLoop.class);

    private final McpClient client;
    private final ObjectNode params;
    private final Runnable resumed;
    private final CallCancellation cancellation = new CallCancellation();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean open = true;

    ListenLoop(McpClient client, ObjectNode filter, Runnable resumed) {
        this.client = client;
        this.params = JsonNodeFactory.instance.objectNode();
        this.params.set("notifications", filter);
        this.resumed = resumed;
    }

    @Override
    public void run() {
        CallOptions options = CallOptions.DEFAULT.withTimeout(CallTimeout.NONE).withCancellation(cancellation);
        int failures = 0;
        try {
            while (open) {
                long started = System.nanoTime();
                McpFailureKind failure = listen(options);
                failures = System.nanoTime() - started > TimeUnit.MINUTES.toNanos(1) ? 0 : failures + 1;
                Duration pause = failure == null
                        ? NotificationRetry.growing(Duration.ZERO, failures)
                        : NotificationRetry.after(failure, failures);
                if (pause == null || closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
                resumed.run();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            open = false;
        }
    }

    /** Why the stream failed; null if the server ended it. */
    private @Nullable McpFailureKind listen(CallOptions options) {
        try {
            client.request(McpMethods.LISTEN, params, options);
            return null;
        } catch (McpFailure failed) {
            log.debug("The server's notifications are not available: {}", failed.getMessage());
            return failed.kind();
        }
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
