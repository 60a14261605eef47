package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The latest permits of this instance, so that a report to the same instance need not read what was just written. Each
 * is used once. Whether a permit is still open is decided by the database, when its report is written.
 */
public final class RecentPermits {
    private static final int MAX = 4096;
    private static final int MAX_WEIGHT = 4096;

    private final SequencedMap<StoredId, OpenPermit> permits = new LinkedHashMap<>();

    /** Caches a permit; the oldest one is dropped if there are too many. */
    synchronized void add(OpenPermit permit, int weight) {
        if (weight > MAX_WEIGHT) {
            return;
        }
        if (permits.size() == MAX) {
            permits.pollFirstEntry();
        }
        permits.put(StoredId.of(permit.key()), permit);
    }

    /** Forgets a permit that is being reported. */
    synchronized void remove(RequestKey key) {
        permits.remove(StoredId.of(key));
    }

    /** Removes and returns the permit of an agent, if it is cached. */
    synchronized Optional<OpenPermit> take(TenantId tenant, AgentId agent, RequestId request) {
        return Optional.ofNullable(permits.remove(StoredId.of(new RequestKey(tenant, agent, request, ""))));
    }
}
