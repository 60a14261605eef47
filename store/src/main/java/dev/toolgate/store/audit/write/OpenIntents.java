package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Numbers the intents of this instance and maps calls to their open intents. */
final class OpenIntents {
    private final AtomicLong last = new AtomicLong();
    private final Map<Key, Deque<Long>> open = new ConcurrentHashMap<>();

    long number() {
        return last.incrementAndGet();
    }

    /** The intent is durable, and its call starts. */
    void begin(Caller caller, RequestId request, long number) {
        open.compute(Key.of(caller, request), (_, numbers) -> {
            Deque<Long> longer = numbers == null ? new ArrayDeque<>(1) : numbers;
            longer.addLast(number);
            return longer;
        });
    }

    /** Removes and returns the intent of an ended call; {@code null} if it had none. */
    @Nullable
    Long end(Caller caller, RequestId request) {
        Long[] ended = new Long[1];
        open.computeIfPresent(Key.of(caller, request), (_, numbers) -> {
            ended[0] = numbers.pollFirst();
            return numbers.isEmpty() ? null : numbers;
        });
        return ended[0];
    }

    private record Key(TenantId tenant, AgentId agent, RequestId request) {
        static Key of(Caller caller, RequestId request) {
            return new Key(caller.tenant(), caller.agent(), request);
        }
    }
}
