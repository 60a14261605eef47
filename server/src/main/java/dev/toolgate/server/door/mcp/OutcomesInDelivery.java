package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.OutgoingMessage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The outcomes that are being written to their clients. The door forgets a call after its outcome was written, but a
 * client may send an equal call as soon as it has read the outcome. That call must wait here until the first one is
 * forgotten: otherwise it would get the same outcome again instead of being a new call.
 */
final class OutcomesInDelivery {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final Map<RequestId, CountDownLatch> deliveries = new ConcurrentHashMap<>();

    /** Forgets a call after the message with its outcome was written; not if the message is lost. */
    void whenDelivered(OutgoingMessage message, RequestId call, Runnable forget) {
        CountDownLatch done = new CountDownLatch(1);
        deliveries.put(call, done);
        message.onDelivery(delivery -> {
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
