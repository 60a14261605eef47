package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.batch.Batcher;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An item and the caller that waits for it to be durable. */
final class Waiting<T> implements Batcher.Entry {
    private final T item;
    private final long deadline;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

    private enum State {
        QUEUED,
        TAKEN,
        WITHDRAWN
    }

    Waiting(T item, Duration patience) {
        this.item = item;
        this.deadline = System.nanoTime() + patience.toNanos();
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
    public void endWait(long now) {
        if (now - deadline < 0 || done.isDone()) {
            return;
        }
        boolean withdrawn = state.compareAndSet(State.QUEUED, State.WITHDRAWN);
        failed(new NotRecorded(
                withdrawn
                        ? "The database did not take the record in time, and it was withdrawn."
                        : "The database did not confirm the record in time.",
                null,
                withdrawn ? NotRecorded.Certainty.NOT_WRITTEN : NotRecorded.Certainty.UNKNOWN));
    }

    /** Not to be interrupted: a call that is being cancelled is put on record all the same. */
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
                "The database did not take the record.",
                why,
                why instanceof CommitUnknown ? NotRecorded.Certainty.UNKNOWN : NotRecorded.Certainty.NOT_WRITTEN);
    }
}
