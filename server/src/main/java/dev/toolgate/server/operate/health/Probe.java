package dev.toolgate.server.operate.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at one part, in the background and at most once a second, however many ask. */
final class Probe {
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final Supplier<HealthCheck> look;
    private final HealthCheck whenSilent;
    private @Nullable CompletableFuture<HealthCheck> latest;
    private long latestNanos;

    /**
     * @param whenSilent what to say of a part that takes too long to look at
     */
    Probe(Supplier<HealthCheck> look, HealthCheck whenSilent) {
        this.look = look;
        this.whenSilent = whenSilent;
    }

    /** Begins to look, unless somebody just has. */
    synchronized CompletableFuture<HealthCheck> refreshed() {
        CompletableFuture<HealthCheck> last = latest;
        if (last != null && (!last.isDone() || System.nanoTime() - latestNanos < FRESH_NANOS)) {
            return last;
        }
        CompletableFuture<HealthCheck> next = new CompletableFuture<>();
        latest = next;
        latestNanos = System.nanoTime();
        Thread.ofVirtual().name("toolgate-health").start(() -> next.complete(lookSafely()));
        return next;
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
