package dev.toolgate.store.mcp;

import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which callers may have pending calls, so that a call that needs no approval costs most callers no query. What is known
 * of a caller is at most a second old; a call that is stored by this instance counts at once.
 */
public final class PendingCallers {
    private static final int MAX_REMEMBERED = 20_000;
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final Predicate<CallOwner> query;
    private final LongSupplier nanoTime;
    private final Map<CallOwner, Known> callers = new LinkedHashMap<>(16, 0.75f, true) { // guarded by this
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<CallOwner, Known> eldest) {
                    return size() > MAX_REMEMBERED;
                }
            };

    /**
     * @param asOf when the query was sent, or the call was stored
     */
    private record Known(boolean hasPending, long asOf) {}

    /**
     * @param query whether a caller has pending calls, by the database
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime()}
     */
    public PendingCallers(Predicate<CallOwner> query, LongSupplier nanoTime) {
        this.query = query;
        this.nanoTime = nanoTime;
    }

    /** Whether a caller may have pending calls; if not, it had none a second ago. */
    public boolean mayHavePending(CallOwner caller) {
        long now = nanoTime.getAsLong();
        Known known = known(caller);
        if (known != null && now - known.asOf() < MAX_AGE.toNanos()) {
            return known.hasPending();
        }
        boolean hasPending = query.test(caller);
        remember(caller, new Known(hasPending, now));
        return hasPending;
    }

    /** To be called after a call was stored. */
    public void stored(CallOwner caller) {
        remember(caller, new Known(true, nanoTime.getAsLong()));
    }

    private synchronized @Nullable Known known(CallOwner caller) {
        return callers.get(caller);
    }

    // An older query must not hide a call that was stored after it was sent.
    private synchronized void remember(CallOwner caller, Known fresh) {
        callers.merge(caller, fresh, (known, _) -> known.asOf() - fresh.asOf() > 0 ? known : fresh);
    }
}
