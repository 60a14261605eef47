package dev.toolgate.store.connection;

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
 * Reads by key of many callers in one question: whoever comes while a question is on its way shares the next one, so a
 * hundred callers cost one round trip. Each answer comes from a question that was asked after its caller came, so nothing
 * is older than if the caller had asked alone.
 */
public final class SharedReads<K, V> {
    private static final int MAX_TOGETHER = 256;

    private final Queue<Waiting<K, V>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean asking = new AtomicBoolean();
    private final Question<K, V> question;

    /** Asks for many at once. */
    @FunctionalInterface
    public interface Question<K, V> {
        /** What there is, by key; keys that there is nothing for are left out. */
        Map<K, V> ask(Collection<K> keys);
    }

    private record Waiting<K, V>(K key, CompletableFuture<Optional<V>> answer) {}

    public SharedReads(Question<K, V> question) {
        this.question = question;
    }

    /** What there is now; throws what the question throws. */
    public Optional<V> read(K key) {
        Waiting<K, V> mine = new Waiting<>(key, new CompletableFuture<>());
        waiting.add(mine);
        if (askOnce() && !waiting.isEmpty()) {
            Thread.startVirtualThread(this::askForRest); // others came meanwhile, and nobody asks for them yet
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

    private void askForRest() {
        boolean mine = true;
        while (mine && !waiting.isEmpty()) {
            mine = askOnce();
        }
    }

    /** False if a question is on its way; whoever asked it looks for those who came since. */
    private boolean askOnce() {
        if (!asking.compareAndSet(false, true)) {
            return false;
        }
        try {
            answer(next());
        } finally {
            asking.set(false);
        }
        return true;
    }

    private Map<K, List<Waiting<K, V>>> next() {
        Map<K, List<Waiting<K, V>>> byKey = new LinkedHashMap<>();
        for (int taken = 0; taken < MAX_TOGETHER; taken++) {
            Waiting<K, V> one = waiting.poll();
            if (one == null) {
                break;
            }
            byKey.computeIfAbsent(one.key, _ -> new ArrayList<>()).add(one);
        }
        return byKey;
    }

    // What fails together is asked one by one, since one of them may be to blame.
    private void answer(Map<K, List<Waiting<K, V>>> byKey) {
        if (byKey.isEmpty()) {
            return;
        }
        try {
            Map<K, V> found = question.ask(byKey.keySet());
            byKey.forEach((key, all) -> {
                Optional<V> answer = Optional.ofNullable(found.get(key));
                all.forEach(one -> one.answer.complete(answer));
            });
        } catch (Unavailable nobodyCanKnow) {
            fail(byKey, nobodyCanKnow);
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
