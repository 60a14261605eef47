package dev.toolgate.server.door.mcp;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How many notifications the clients of this instance may cause in a period: each session, and all together. */
final class RelayBudget {
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final Map<String, Integer> used = new HashMap<>();
    private int usedByAll;
    private long begun;

    /**
     * The limits of a budget.
     *
     * @param perSession the maximum per session and period
     * @param inAll the maximum of all sessions per period, because a client can start many
     */
    record Limits(int perSession, int inAll, Duration period) {}

    /**
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime()}
     */
    RelayBudget(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
    }

    /** Takes some of the budget of a session; false if not enough is left. */
    synchronized boolean take(String session, int notifications) {
        long now = nanoTime.getAsLong();
        if (now - begun >= limits.period().toNanos()) {
            begun = now;
            usedByAll = 0;
            used.clear();
        }
        int ofSession = used.getOrDefault(session, 0) + notifications;
        if (ofSession > limits.perSession() || usedByAll + notifications > limits.inAll()) {
            return false;
        }
        used.put(session, ofSession);
        usedByAll += notifications;
        return true;
    }
}
