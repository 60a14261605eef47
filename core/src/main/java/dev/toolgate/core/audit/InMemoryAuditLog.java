package dev.toolgate.core.audit;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.RunsAt;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The newest audit entries and request keys in memory; when full, the oldest are dropped. */
public final class InMemoryAuditLog implements AuditLog, RequestKeys, Permits {
    private static final String UNREPORTED = "No outcome was reported before the permit expired";

    private final int capacity;
    private final InstantSource clock;
    private final Map<Id, String> claims = new HashMap<>();
    private final Map<Id, Kept> keys = new LinkedHashMap<>();
    private final Deque<Intent> intents = new ArrayDeque<>();
    private final Deque<Entry> entries = new ArrayDeque<>();

    public InMemoryAuditLog(int capacity) {
        this(capacity, InstantSource.system());
    }

    /**
     * @param clock for the expiry of permits
     */
    public InMemoryAuditLog(int capacity, InstantSource clock) {
        this.capacity = capacity;
        this.clock = clock;
    }

    @Override
    public synchronized void intend(Intent intent, @Nullable RequestKey key) {
        if (key != null) {
            if (isTakenFrom(key)) {
                throw new Taken();
            }
            keep(key, new Kept(key.digest(), State.RUNNING, null, null));
        }
        keep(intents, intent);
    }

    @Override
    public synchronized void permit(Permit permit) {
        RequestKey key = permit.key();
        if (isTakenFrom(key)) {
            throw new Taken();
        }
        OpenPermit open = new OpenPermit(permit.call(), key, permit.approval(), permit.until());
        keep(key, new Kept(key.digest(), State.RUNNING, null, open));
        keep(intents, permit.call());
    }

    @Override
    public synchronized void record(Entry entry, @Nullable KeptAnswer answer) {
        if (answer != null) {
            keep(answer);
        }
        keep(entries, entry);
    }

    private void keep(KeptAnswer answer) {
        Kept known = current(Id.of(answer.key()));
        boolean late =
                switch (answer.claim()) {
                    case NEW -> known != null;
                    case HELD -> known != null && known.state() == State.ENDED;
                    case NONE -> true;
                };
        if (!late) {
            keep(
                    answer.key(),
                    new Kept(
                            answer.key().digest(),
                            State.ENDED,
                            answer.outcome(),
                            known == null ? null : known.permit()));
        } else if (answer.progress() != Progress.STARTED && answer.claim() != Claim.NONE) {
            throw new Taken();
        }
    }

    /** Takes the key for a call that waits for approval. */
    public synchronized void hold(RequestKey key) {
        if (isTakenFrom(key)) {
            throw new Taken();
        }
        keep(key, new Kept(key.digest(), State.HELD, null, null));
    }

    // A held call already has its key.
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
        Kept kept = current(Id.of(key));
        if (kept == null) {
            return new Earlier.Nothing();
        }
        if (!kept.digest().equals(key.digest())) {
            return new Earlier.OtherCall();
        }
        return switch (kept.state()) {
            case HELD -> new Earlier.Held();
            case RUNNING ->
                kept.permit() == null
                        ? new Earlier.StillRunning()
                        : new Earlier.Permitted(kept.permit().until());
            case ENDED -> kept.outcome() == null ? new Earlier.Forgotten() : new Earlier.SameCall(kept.outcome());
        };
    }

    // Expiry has no timer: it takes effect when the key is next looked at.
    private @Nullable Kept current(Id id) {
        Kept kept = keys.get(id);
        if (kept == null || kept.state() != State.RUNNING || kept.permit() == null || isOpen(kept.permit())) {
            return kept;
        }
        OpenPermit permit = kept.permit();
        keep(
                entries,
                new Entry(
                        permit.intent(),
                        permit.openFor(clock.instant()),
                        Status.INTERRUPTED,
                        null,
                        null,
                        permit.approval(),
                        UNREPORTED,
                        null,
                        RunsAt.CLIENT));
        Kept interrupted = new Kept(
                kept.digest(),
                State.ENDED,
                new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, UNREPORTED)),
                permit);
        keys.put(id, interrupted);
        return interrupted;
    }

    private boolean isOpen(OpenPermit permit) {
        return clock.instant().isBefore(permit.until());
    }

    @Override
    public synchronized List<Found> find(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        List<Found> found = new ArrayList<>();
        for (Id id : List.copyOf(keys.keySet())) {
            if (id.tenant().equals(tenant)
                    && id.request().equals(request)
                    && (agent == null || id.agent().equals(agent))) {
                Kept kept = current(id);
                if (kept != null && kept.permit() != null) {
                    found.add(found(id, kept, kept.permit()));
                }
            }
        }
        return found;
    }

    @Override
    public synchronized List<OpenPermit> open(TenantId tenant, AgentId agent, String toolCallId) {
        List<OpenPermit> open = new ArrayList<>();
        for (Id id : List.copyOf(keys.keySet())) {
            Kept kept = id.tenant().equals(tenant) && id.agent().equals(agent) ? current(id) : null;
            OpenPermit permit = kept == null || kept.state() != State.RUNNING ? null : kept.permit();
            if (permit != null && toolCallId.equals(permit.intent().context().toolCallId())) {
                open.add(permit);
            }
        }
        return open;
    }

    private static Found found(Id id, Kept kept, OpenPermit permit) {
        if (kept.state() == State.RUNNING) {
            return new Found.Open(permit);
        }
        return kept.outcome() instanceof Outcome.Failed failed
                        && failed.failure().message().equals(UNREPORTED)
                ? new Found.Expired(id.agent(), permit.until())
                : new Found.Reported(id.agent());
    }

    private void keep(RequestKey key, Kept kept) {
        Id id = Id.of(key);
        if (keys.size() >= capacity && !keys.containsKey(id)) {
            keys.remove(keys.keySet().iterator().next());
        }
        keys.put(id, kept);
    }

    /** The recorded entries, oldest first. */
    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries);
    }

    /** The recorded intents, oldest first. */
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
            String digest,
            State state,
            @Nullable Outcome outcome,
            @Nullable OpenPermit permit) {}
}
