package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.batch.Batcher;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An item in the queue, and the caller that waits until it is durable. */
final class QueuedItem<T> implements Batcher.Entry {
    private final T item;
    private final long deadline;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

    private enum State {
        QUEUED,
        TAKEN,
        WITHDRAWN
    }

    QueuedItem(T item, Duration timeout) {
        this.item = item;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    T item() {
        return item;
    }

    @Override
    public boolean take() {
        return state.compareAndSet(State.QUEUED, State.TAKEN);
    }

    void durable() {
        done.complete(null);
    }

    @Override
    public void failed(Throwable why) {
        done.completeExceptionally(why);
    }

    @Override
    public void expire(long now) {
        if (now - deadline < 0 || done.isDone()) {
            return;
        }
        boolean withdrawn = state.compareAndSet(State.QUEUED, State.WITHDRAWN);
        failed(new NotRecorded(
                withdrawn
                        ? "The record was not written within the timeout and was withdrawn; try again shortly."
                        : "The database did not confirm the record within the timeout, so it may have been written.",
                null,
                withdrawn ? NotRecorded.Certainty.NOT_WRITTEN : NotRecorded.Certainty.UNKNOWN));
    }

    /** Ignores interrupts: a call that is being cancelled is recorded too. */
    void await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get();
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (ExecutionException failed) {
                    throw explained(failed.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException explained(@Nullable Throwable why) {
        if (why instanceof RequestKeys.Taken || why instanceof NotRecorded) {
            return (RuntimeException) why;
        }
        return new NotRecorded(
                "The record could not be written to the database; try again shortly.",
                why,
                why instanceof CommitUnknown ? NotRecorded.Certainty.UNKNOWN : NotRecorded.Certainty.NOT_WRITTEN);
    }
}
