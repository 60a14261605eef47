package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The callers that wait for answers on this instance; several may wait for the same one. */
final class AnswerWaiters {
    private final Map<UUID, Waiters> waiting = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    private record Waiters(CompletableFuture<Answer> answer, int count) {
        Waiters andOneMore() {
            return new Waiters(answer, count + 1);
        }
    }

    Optional<Answer> await(UUID id, Duration timeout) throws InterruptedException {
        Waiters joined =
                waiting.merge(id, new Waiters(new CompletableFuture<>(), 1), (existing, _) -> existing.andOneMore());
        try {
            if (stopped) {
                throw stopping();
            }
            return Optional.of(joined.answer().get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException notInTime) {
            return Optional.empty();
        } catch (ExecutionException sentAway) {
            throw stopping();
        } finally {
            waiting.computeIfPresent(
                    id,
                    (_, existing) ->
                            existing.count() == 1 ? null : new Waiters(existing.answer(), existing.count() - 1));
        }
    }

    Set<UUID> ids() {
        return Set.copyOf(waiting.keySet());
    }

    boolean has(UUID id) {
        return waiting.containsKey(id);
    }

    void answered(UUID id, Answer answer) {
        Waiters waiters = waiting.get(id);
        if (waiters != null) {
            waiters.answer().complete(answer);
        }
    }

    void stop() {
        stopped = true;
        waiting.values().forEach(waiters -> waiters.answer().completeExceptionally(stopping()));
    }

    private static Unavailable stopping() {
        return new Unavailable("The server is stopping; the approval request stays open, so try again shortly.", null);
    }
}
