package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import java.util.HashMap;
import java.util.Map;

/** Permits shared by all tenants; one tenant gets at most a quarter, so that it cannot shut out the others. */
public final class TenantPermits {
    private static final int TENANTS_TO_FILL = 4;

    private final int max;
    private final int maxPerTenant;
    private final Map<TenantId, Integer> taken = new HashMap<>();
    private volatile int all; // read for every request without locking

    /**
     * @param max the number of permits
     */
    public TenantPermits(int max) {
        this.max = max;
        this.maxPerTenant = Math.ceilDiv(max, TENANTS_TO_FILL);
    }

    /** The result of acquiring a permit. */
    public enum Admission {
        ADMITTED,
        /** None is left. */
        FULL,
        /** Some are left, for other tenants only. */
        SHARE_USED_UP
    }

    /** Acquires a permit if possible; release it if admitted. */
    public synchronized Admission acquire(TenantId tenant) {
        int own = taken.getOrDefault(tenant, 0);
        if (all >= max) {
            return Admission.FULL;
        }
        if (own >= maxPerTenant) {
            return Admission.SHARE_USED_UP;
        }
        taken.put(tenant, own + 1);
        all++;
        return Admission.ADMITTED;
    }

    /** Releases a permit. */
    public synchronized void release(TenantId tenant) {
        int left = taken.getOrDefault(tenant, 0) - 1;
        if (left > 0) {
            taken.put(tenant, left);
        } else {
            taken.remove(tenant); // keeps the map from growing with every tenant ever seen
        }
        all--;
    }

    /** The limit per tenant. */
    public int maxPerTenant() {
        return maxPerTenant;
    }

    /** How many are in use. */
    public int count() {
        return all;
    }
}
