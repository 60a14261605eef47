package dev.toolgate.store.batch;

import dev.toolgate.core.call.Unavailable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Combines reads by key of concurrent callers: callers that arrive during a query share the next one, so a
 * hundred callers cost one round trip. Each result comes from a query that started after its caller arrived, so it
 * is as fresh as a separate query.
 */
public final class SharedReads<K, V> {
    private static final int MAX_BATCH = 256;

    private final Queue<Waiting<K, V>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean querying = new AtomicBoolean();
    private final BatchPace pace;
    private final BatchQuery<K, V> query;

    /** Reads many keys at once. */
    @FunctionalInterface
    public interface BatchQuery<K, V> {
        /** The values by key; keys without a value are omitted. */
        Map<K, V> run(Collection<K> keys);
    }

    private record Waiting<K, V>(K key, CompletableFuture<Optional<V>> answer) {}

    public SharedReads(BatchPace pace, BatchQuery<K, V> query) {
        this.pace = pace;
        this.query = query;
    }

    /** The current value, if there is one; throws what the query throws. */
    public Optional<V> read(K key) {
        Waiting<K, V> mine = new Waiting<>(key, new CompletableFuture<>());
        waiting.add(mine);
        if (queryOnce() && !waiting.isEmpty()) {
            Thread.startVirtualThread(this::queryRemaining); // for callers that arrived since
        }
        try {
            return mine.answer.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    private void queryRemaining() {
        boolean mine = true;
        while (mine && !waiting.isEmpty()) {
            mine = queryOnce();
        }
    }

    /** False if another query is running; its thread also serves the callers that arrived since. */
    private boolean queryOnce() {
        if (!querying.compareAndSet(false, true)) {
            return false;
        }
        try {
            pace.awaitTurn(waiting::size);
            answer(next());
        } finally {
            querying.set(false);
        }
        return true;
    }

    private Map<K, List<Waiting<K, V>>> next() {
        Map<K, List<Waiting<K, V>>> byKey = new LinkedHashMap<>();
        for (int taken = 0; taken < MAX_BATCH; taken++) {
            Waiting<K, V> one = waiting.poll();
            if (one == null) {
                break;
            }
            byKey.computeIfAbsent(one.key, _ -> new ArrayList<>()).add(one);
        }
        return byKey;
    }

    // If a query fails, its keys are read one by one, because a single one may have caused it.
    private void answer(Map<K, List<Waiting<K, V>>> byKey) {
        if (byKey.isEmpty()) {
            return;
        }
        try {
            Map<K, V> found = query.run(byKey.keySet());
            byKey.forEach((key, all) -> {
                Optional<V> answer = Optional.ofNullable(found.get(key));
                all.forEach(one -> one.answer.complete(answer));
            });
        } catch (Unavailable unreachable) {
            fail(byKey, unreachable);
        } catch (RuntimeException | Error failed) {
            if (byKey.size() == 1) {
                fail(byKey, failed);
            } else {
                byKey.forEach((key, all) -> answer(Map.of(key, all)));
            }
        }
    }

    private static <K, V> void fail(Map<K, List<Waiting<K, V>>> byKey, Throwable why) {
        byKey.values().forEach(all -> all.forEach(one -> one.answer.completeExceptionally(why)));
    }
}
