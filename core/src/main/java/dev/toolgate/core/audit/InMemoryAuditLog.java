package dev.toolgate.core.audit;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The newest audit entries in memory, and their request ids; the oldest make room once it is full. */
public final class InMemoryAuditLog implements AuditLog, RequestKeys {
    private final int capacity;
    private final Map<Id, String> claims = new HashMap<>();
    private final Map<Id, Kept> keys = new LinkedHashMap<>();
    private final Deque<Intent> intents = new ArrayDeque<>();
    private final Deque<Entry> entries = new ArrayDeque<>();

    public InMemoryAuditLog(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public synchronized void intend(Intent intent, @Nullable RequestKey key) {
        if (key != null) {
            if (isTakenFrom(key)) {
                throw new Taken();
            }
            keep(key, new Kept(key.digest(), State.RUNNING, null));
        }
        keep(intents, intent);
    }

    @Override
    public synchronized void record(Entry entry, @Nullable KeptAnswer answer) {
        if (answer != null) {
            keep(answer);
        }
        keep(entries, entry);
    }

    private void keep(KeptAnswer answer) {
        Kept known = keys.get(Id.of(answer.key()));
        boolean late =
                switch (answer.claim()) {
                    case NEW -> known != null;
                    case HELD -> known != null && known.state() == State.ENDED;
                    case NONE -> true;
                };
        if (!late) {
            keep(answer.key(), new Kept(answer.key().digest(), State.ENDED, answer.outcome()));
        } else if (answer.progress() == Progress.NOT_STARTED && answer.claim() != Claim.NONE) {
            throw new Taken();
        }
    }

    /** A person is asked about the call, which takes its key. */
    public synchronized void hold(RequestKey key) {
        if (isTakenFrom(key)) {
            throw new Taken();
        }
        keep(key, new Kept(key.digest(), State.HELD, null));
    }

    // A call that was held has its key already.
    private boolean isTakenFrom(RequestKey key) {
        Kept known = keys.get(Id.of(key));
        return known != null && !(known.state() == State.HELD && known.digest().equals(key.digest()));
    }

    @Override
    public synchronized Earlier claim(RequestKey key) {
        String claimed = claims.get(Id.of(key));
        if (claimed != null) {
            return claimed.equals(key.digest()) ? new Earlier.StillRunning() : new Earlier.OtherCall();
        }
        Earlier found = find(key);
        if (found instanceof Earlier.Nothing) {
            claims.put(Id.of(key), key.digest());
        }
        return found;
    }

    @Override
    public synchronized void release(RequestKey key) {
        claims.remove(Id.of(key));
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
        return switch (kept.state()) {
            case HELD -> new Earlier.Held();
            case RUNNING -> new Earlier.StillRunning();
            case ENDED -> kept.outcome() == null ? new Earlier.Forgotten() : new Earlier.SameCall(kept.outcome());
        };
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

    private record Id(TenantId tenant, AgentId agent, RequestId request) {
        static Id of(RequestKey key) {
            return new Id(key.tenant(), key.agent(), key.requestId());
        }
    }

    private enum State {
        HELD,
        RUNNING,
        ENDED
    }

    private record Kept(
            String digest, State state, @Nullable Outcome outcome) {}
}
