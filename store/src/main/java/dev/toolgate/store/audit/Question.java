package dev.toolgate.store.audit;

import dev.toolgate.core.port.RequestKey;
import dev.toolgate.core.port.RequestKeys.Earlier;
import dev.toolgate.core.port.Unavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A key somebody wants to know about, and the one who waits for the answer. */
final class Question {
    private final RequestKey key;
    private final long deadline;
    private final CompletableFuture<Earlier> answer = new CompletableFuture<>();

    Question(RequestKey key, Duration patience) {
        this.key = key;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    RequestKey key() {
        return key;
    }

    /** Whose key it is, as it is stored. */
    String tenant() {
        return CleanText.clean(key.tenant().value());
    }

    /** The request id, as it is stored. */
    String requestId() {
        return CleanText.clean(key.requestId().value());
    }

    void answer(Earlier found) {
        answer.complete(found);
    }

    void failed(Throwable why) {
        answer.completeExceptionally(why);
    }

    /** Lets the one who asked go after too long a wait. */
    void endWait(long now) {
        if (now - deadline >= 0 && !answer.isDone()) {
            failed(new TimeoutException());
        }
    }

    Earlier await() {
        try {
            return answer.get();
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The wait for the database was cut short.", hostWantsItsThread);
        } catch (ExecutionException failed) {
            throw new Unavailable(
                    failed.getCause() instanceof TimeoutException
                            ? "The database did not answer in time."
                            : "The database did not answer.",
                    failed.getCause());
        }
    }
}
