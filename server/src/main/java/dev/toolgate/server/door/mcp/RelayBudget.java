package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How many notifications the clients of this instance may cause in a period: each session, each tenant, and all. */
final class RelayBudget {
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final Map<String, Integer> usedBySession = new HashMap<>();
    private final Map<TenantId, Integer> usedByTenant = new HashMap<>();
    private int usedByAll;
    private long begun;

    /**
     * The limits of a budget.
     *
     * @param perSession the maximum per session and period
     * @param perTenant the maximum of all sessions of a tenant per period, because a client can start many
     * @param inAll the maximum of all tenants per period
     */
    record Limits(int perSession, int perTenant, int inAll, Duration period) {}

    /**
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime()}
     */
    RelayBudget(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
    }

    /** Takes some of the budget of a tenant's session; false if not enough is left. */
    synchronized boolean take(TenantId tenant, String session, int notifications) {
        long now = nanoTime.getAsLong();
        if (now - begun >= limits.period().toNanos()) {
            begun = now;
            usedByAll = 0;
            usedBySession.clear();
            usedByTenant.clear();
        }
        int ofSession = usedBySession.getOrDefault(session, 0) + notifications;
        int ofTenant = usedByTenant.getOrDefault(tenant, 0) + notifications;
        int ofAll = usedByAll + notifications;
        if (ofSession > limits.perSession() || ofTenant > limits.perTenant() || ofAll > limits.inAll()) {
            return false;
        }
        usedBySession.put(session, ofSession);
        usedByTenant.put(tenant, ofTenant);
        usedByAll = ofAll;
        return true;
    }
}
