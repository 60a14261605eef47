package dev.toolgate.core.artifact;

import dev.toolgate.core.call.TenantId;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The space that artifacts on their way take up before they are on the list, so that many at once cannot fill a disk
 * that none of them could fill alone.
 */
final class Rooms {
    private final ArtifactIndex index;
    private final ArtifactLimits limits;
    private final ConcurrentHashMap<TenantId, Long> taken = new ConcurrentHashMap<>();

    Rooms(ArtifactIndex index, ArtifactLimits limits) {
        this.index = index;
        this.limits = limits;
    }

    /** Room for one artifact; it is refused at once if what is known to come does not fit. */
    Room enter(TenantId tenant, long expected) throws IOException {
        if (expected > limits.largest()) {
            throw ArtifactRefused.tooLarge(limits.largest());
        }
        Room room = new Room(tenant, limits.quota() == Long.MAX_VALUE ? 0 : index.used(tenant));
        try {
            room.reach(expected);
            return room;
        } catch (ArtifactRefused full) {
            room.close();
            throw full;
        }
    }

    /** The room of one artifact, which grows with it. */
    final class Room implements AutoCloseable {
        private final TenantId tenant;
        private final long used;
        private long mine;

        private Room(TenantId tenant, long used) {
            this.tenant = tenant;
            this.used = used;
        }

        /** Makes it large enough for this many bytes, or refuses. */
        void reach(long size) throws ArtifactRefused {
            if (size > limits.largest()) {
                throw ArtifactRefused.tooLarge(limits.largest());
            }
            if (size > mine && limits.quota() < Long.MAX_VALUE) {
                long more = size - mine;
                long all = taken.merge(tenant, more, Long::sum);
                mine = size;
                if (all > limits.quota() - used) {
                    throw ArtifactRefused.overQuota(limits.quota());
                }
            }
        }

        @Override
        public void close() {
            long given = mine;
            mine = 0;
            taken.computeIfPresent(tenant, (_, all) -> all == given ? null : Long.valueOf(all - given));
        }
    }
}
