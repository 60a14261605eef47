package dev.toolgate.core.memory;

import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.core.port.RequestKey;
import dev.toolgate.core.port.RequestKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The newest audit entries in memory, and their request ids; the oldest make room once it is full. */
public final class InMemoryAuditLog implements AuditLog, RequestKeys {
    private final int capacity;
    private final Map<Id, Kept> keys = new LinkedHashMap<>();
    private final Deque<Intent> intents = new ArrayDeque<>();
    private final Deque<Entry> entries = new ArrayDeque<>();

    public InMemoryAuditLog(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public synchronized void intend(Intent intent, @Nullable RequestKey key) {
        if (key != null) {
            if (keys.containsKey(Id.of(key))) {
                throw new Taken();
            }
            keep(key, new Kept(key.digest(), State.RUNNING, null));
        }
        keep(intents, intent);
    }

    @Override
    public synchronized void record(Entry entry, @Nullable KeptAnswer answer) {
        if (answer != null) {
            if (answer.claim() == Claim.NEW && keys.containsKey(Id.of(answer.key()))) {
                throw new Taken();
            }
            keep(answer.key(), new Kept(answer.key().digest(), State.ENDED, answer.outcome()));
        }
        keep(entries, entry);
    }

    @Override
    public synchronized Earlier find(RequestKey key) {
        Kept kept = keys.get(Id.of(key));
        if (kept == null) {
            return new Earlier.Nothing();
        }
        if (!kept.digest().equals(key.digest())) {
            return new Earlier.OtherCall();
        }
        if (kept.state() == State.RUNNING) {
            return new Earlier.StillRunning();
        }
        return kept.outcome() == null ? new Earlier.Forgotten() : new Earlier.SameCall(kept.outcome());
    }

    private void keep(RequestKey key, Kept kept) {
        if (keys.size() >= capacity) {
            keys.remove(keys.keySet().iterator().next());
        }
        keys.put(Id.of(key), kept);
    }

    /** What has been recorded, oldest first. */
    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries);
    }

    /** What was announced, oldest first. */
    public synchronized List<Intent> intents() {
        return new ArrayList<>(intents);
    }

    private <T> void keep(Deque<T> kept, T newest) {
        if (kept.size() == capacity) {
            kept.removeFirst();
        }
        kept.addLast(newest);
    }

    private record Id(TenantId tenant, RequestId request) {
        static Id of(RequestKey key) {
            return new Id(key.tenant(), key.requestId());
        }
    }

    private enum State {
        RUNNING,
        ENDED
    }

    private record Kept(
            String digest, State state, @Nullable Outcome outcome) {}
}
