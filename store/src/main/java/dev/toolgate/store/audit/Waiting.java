package dev.toolgate.store.audit;

import dev.toolgate.core.port.RequestKeys;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** An item and the caller that waits for it to be durable. */
final class Waiting<T> {
    private final T item;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

    private enum State {
        QUEUED,
        TAKEN,
        WITHDRAWN
    }

    Waiting(T item) {
        this.item = item;
    }

    T item() {
        return item;
    }

    /** The writer wants the item; false if its caller has given up, and then it must not be written. */
    boolean take() {
        return state.compareAndSet(State.QUEUED, State.TAKEN);
    }

    void durable() {
        done.complete(null);
    }

    void failed(Throwable why) {
        done.completeExceptionally(why);
    }

    /** Not to be interrupted: a call that is being cancelled is put on record all the same. */
    void await(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException tooLong) {
                    boolean withdrawn = state.compareAndSet(State.QUEUED, State.WITHDRAWN);
                    throw new NotRecorded(
                            withdrawn
                                    ? "The database did not take the record in time, and it was withdrawn."
                                    : "The database did not confirm the record in time.",
                            tooLong,
                            withdrawn ? NotRecorded.Certainty.NOT_WRITTEN : NotRecorded.Certainty.UNKNOWN);
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof RequestKeys.Taken taken) {
                        throw taken;
                    }
                    throw new NotRecorded(
                            "The database did not take the record.",
                            failed.getCause(),
                            failed.getCause() instanceof CommitUnknown
                                    ? NotRecorded.Certainty.UNKNOWN
                                    : NotRecorded.Certainty.NOT_WRITTEN);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
