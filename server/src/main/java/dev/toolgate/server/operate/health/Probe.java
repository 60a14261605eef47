package dev.toolgate.server.operate.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Looks at one part, in the background and at most once a second, however many ask. */
final class Probe {
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final Supplier<HealthCheck> look;
    private final HealthCheck whenSilent;
    private CompletableFuture<HealthCheck> latest = new CompletableFuture<>();
    private long latestNanos;
    private boolean asked;

    /**
     * @param whenSilent what to say of a part that takes too long to look at
     */
    Probe(Supplier<HealthCheck> look, HealthCheck whenSilent) {
        this.look = look;
        this.whenSilent = whenSilent;
    }

    /** Begins to look, unless somebody just has. */
    synchronized CompletableFuture<HealthCheck> refreshed() {
        boolean old = !asked || System.nanoTime() - latestNanos > FRESH_NANOS;
        if (old && (!asked || latest.isDone())) {
            asked = true;
            latestNanos = System.nanoTime();
            CompletableFuture<HealthCheck> next = new CompletableFuture<>();
            latest = next;
            Thread.ofVirtual().name("toolgate-health").start(() -> next.complete(lookSafely()));
        }
        return latest;
    }

    private HealthCheck lookSafely() {
        try {
            return look.get();
        } catch (RuntimeException broken) {
            return HealthCheck.down(
                    "It cannot be looked at (" + broken.getClass().getSimpleName() + ").");
        }
    }

    /** What is found until a point in time. */
    HealthCheck result(CompletableFuture<HealthCheck> asked, long deadlineNanos) {
        try {
            return asked.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException silent) {
            return whenSilent;
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return whenSilent;
        }
    }
}
