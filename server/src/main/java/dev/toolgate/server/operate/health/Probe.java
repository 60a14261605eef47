package dev.toolgate.server.operate.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs one health check in the background, at most once a second. */
final class Probe {
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final Supplier<HealthCheck> check;
    private final HealthCheck onTimeout;
    private @Nullable CompletableFuture<HealthCheck> latest;
    private long latestNanos;

    /**
     * @param onTimeout the result if the check does not end in time
     */
    Probe(Supplier<HealthCheck> check, HealthCheck onTimeout) {
        this.check = check;
        this.onTimeout = onTimeout;
    }

    /** Starts the check, unless there is a recent result. */
    synchronized CompletableFuture<HealthCheck> refreshed() {
        CompletableFuture<HealthCheck> last = latest;
        if (last != null && (!last.isDone() || System.nanoTime() - latestNanos < FRESH_NANOS)) {
            return last;
        }
        CompletableFuture<HealthCheck> next = new CompletableFuture<>();
        latest = next;
        latestNanos = System.nanoTime();
        Thread.ofVirtual().name("toolgate-health").start(() -> next.complete(checkSafely()));
        return next;
    }

    private HealthCheck checkSafely() {
        try {
            return check.get();
        } catch (RuntimeException broken) {
            return HealthCheck.down("The check failed (" + broken.getClass().getSimpleName() + ").");
        }
    }

    /** The result, waiting until the deadline. */
    HealthCheck result(CompletableFuture<HealthCheck> asked, long deadlineNanos) {
        try {
            return asked.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException unfinished) {
            return onTimeout;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return onTimeout;
        }
    }
}
