package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import java.util.HashMap;
import java.util.Map;

/** Places for all tenants, of which one alone has no more than a quarter, so that it cannot shut out the others. */
public final class SharedPlaces {
    private static final int TENANTS_TO_FILL = 4;

    private final int most;
    private final int mostOfOne;
    private final Map<TenantId, Integer> taken = new HashMap<>();
    private volatile int all; // read for every request, without waiting

    /**
     * @param most places there are
     */
    public SharedPlaces(int most) {
        this.most = most;
        this.mostOfOne = Math.ceilDiv(most, TENANTS_TO_FILL);
    }

    /** Whether somebody has got a place. */
    public enum Entry {
        ADMITTED,
        /** There is none left. */
        FULL,
        /** There are some left, for other tenants. */
        SHARE_USED_UP
    }

    /** Takes a place if there is one; whoever was admitted leaves again. */
    public synchronized Entry enter(TenantId tenant) {
        int own = taken.getOrDefault(tenant, 0);
        if (all >= most) {
            return Entry.FULL;
        }
        if (own >= mostOfOne) {
            return Entry.SHARE_USED_UP;
        }
        taken.put(tenant, own + 1);
        all++;
        return Entry.ADMITTED;
    }

    /** Gives a place back. */
    public synchronized void leave(TenantId tenant) {
        int left = taken.getOrDefault(tenant, 0) - 1;
        if (left > 0) {
            taken.put(tenant, left);
        } else {
            taken.remove(tenant); // tenants come and go, and nobody counts their zeros
        }
        all--;
    }

    /** How many one tenant may have. */
    public int mostOfOne() {
        return mostOfOne;
    }

    /** How many are taken. */
    public int count() {
        return all;
    }
}
