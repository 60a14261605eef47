package dev.toolgate.server.gate;

import dev.toolgate.core.call.Cancellation;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The running calls, each identified by its cancellation. */
final class RunningCalls {
    private final Set<Cancellation> running = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allEnded = new CountDownLatch(1);
    private volatile boolean stopping;

    /** Registers a call; false if the server is stopping. */
    boolean begin(Cancellation call) {
        running.add(call);
        if (stopping) {
            end(call);
            return false;
        }
        return true;
    }

    void end(Cancellation call) {
        running.remove(call);
        if (stopping && running.isEmpty()) {
            allEnded.countDown();
        }
    }

    int count() {
        return running.size();
    }

    void stop(Duration grace, Duration afterCancel) {
        stopping = true;
        try {
            if (running.isEmpty() || allEnded.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            cancelAll();
            var _ = allEnded.await(afterCancel.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            cancelAll();
        }
    }

    private void cancelAll() {
        running.forEach(Cancellation::cancel);
    }
}
