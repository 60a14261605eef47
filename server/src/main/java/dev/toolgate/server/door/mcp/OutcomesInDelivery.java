package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.RequestContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The outcomes that are being written to their clients. A call that is forgotten only after that would otherwise be
 * found by a client that sends an equal call as soon as it has read the outcome.
 */
final class OutcomesInDelivery {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final Map<RequestId, CountDownLatch> deliveries = new ConcurrentHashMap<>();

    /** Does this when the client has got the outcome; not if it is lost. */
    void whenDelivered(RequestContext context, RequestId call, Runnable forget) {
        CountDownLatch done = new CountDownLatch(1);
        deliveries.put(call, done);
        context.onDelivery(delivery -> {
            try {
                if (delivery == Delivery.WRITTEN) {
                    forget.run();
                }
            } finally {
                deliveries.remove(call, done);
                done.countDown();
            }
        });
    }

    /** Waits until the outcome of a call is delivered or lost; false if it is not being delivered. */
    boolean await(RequestId call) throws InterruptedException {
        CountDownLatch done = deliveries.get(call);
        return done != null && done.await(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
