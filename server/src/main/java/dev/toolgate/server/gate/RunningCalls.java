package dev.toolgate.server.gate;

import dev.toolgate.core.call.Cancellation;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The calls on their way, each known by the switch that stops it. */
final class RunningCalls {
    private final Set<Cancellation> switches = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allEnded = new CountDownLatch(1);
    private volatile boolean stopping;

    /** Whether the call may begin; not once everything is to end. */
    boolean begin(Cancellation call) {
        switches.add(call);
        if (stopping) {
            end(call);
            return false;
        }
        return true;
    }

    void end(Cancellation call) {
        switches.remove(call);
        if (stopping && switches.isEmpty()) {
            allEnded.countDown();
        }
    }

    int count() {
        return switches.size();
    }

    void stop(Duration grace, Duration lastMoment) {
        stopping = true;
        try {
            if (switches.isEmpty() || allEnded.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            cancelAll();
            var _ = allEnded.await(lastMoment.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            cancelAll();
        }
    }

    private void cancelAll() {
        switches.forEach(Cancellation::cancel);
    }
}
