package dev.toolgate.store.audit;

import dev.toolgate.core.port.RequestKey;
import dev.toolgate.core.port.RequestKeys.Earlier;
import dev.toolgate.core.port.Unavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A key somebody wants to know about, and the one who waits for the answer. */
final class Question {
    private final RequestKey key;
    private final CompletableFuture<Earlier> answer = new CompletableFuture<>();

    Question(RequestKey key) {
        this.key = key;
    }

    RequestKey key() {
        return key;
    }

    void answer(Earlier found) {
        answer.complete(found);
    }

    void failed(Throwable why) {
        answer.completeExceptionally(why);
    }

    Earlier await(Duration patience) {
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The wait for the database was cut short.", hostWantsItsThread);
        } catch (TimeoutException tooLong) {
            throw new Unavailable("The database did not answer in time.", tooLong);
        } catch (ExecutionException failed) {
            throw new Unavailable("The database did not answer.", failed.getCause());
        }
    }
}
