package dev.toolgate.core.artifact;

import dev.toolgate.core.call.TenantId;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/** Reserves quota for uploads in progress, so that concurrent uploads together cannot exceed a tenant's quota. */
final class QuotaReservations {
    private final ArtifactIndex index;
    private final ArtifactLimits limits;
    private final ConcurrentHashMap<TenantId, Long> reservedByTenant = new ConcurrentHashMap<>();

    QuotaReservations(ArtifactIndex index, ArtifactLimits limits) {
        this.index = index;
        this.limits = limits;
    }

    /** Reserves space for one artifact; refused at once if the expected size does not fit. */
    Reservation reserve(TenantId tenant, long expected) throws IOException {
        if (expected > limits.maxBytes()) {
            throw ArtifactRefused.tooLarge(limits.maxBytes());
        }
        Reservation reservation = new Reservation(tenant, limits.quota() == Long.MAX_VALUE ? 0 : index.used(tenant));
        try {
            reservation.growTo(expected);
            return reservation;
        } catch (ArtifactRefused full) {
            reservation.close();
            throw full;
        }
    }

    /** The reservation of one upload, which grows with it. */
    final class Reservation implements AutoCloseable {
        private final TenantId tenant;
        private final long used;
        private long reserved;

        private Reservation(TenantId tenant, long used) {
            this.tenant = tenant;
            this.used = used;
        }

        /** Grows to this many bytes, or refuses. */
        void growTo(long size) throws ArtifactRefused {
            if (size > limits.maxBytes()) {
                throw ArtifactRefused.tooLarge(limits.maxBytes());
            }
            if (size > reserved && limits.quota() < Long.MAX_VALUE) {
                long more = size - reserved;
                long all = reservedByTenant.merge(tenant, more, Long::sum);
                reserved = size;
                if (all > limits.quota() - used) {
                    throw ArtifactRefused.overQuota(limits.quota());
                }
            }
        }

        @Override
        public void close() {
            long given = reserved;
            reserved = 0;
            reservedByTenant.computeIfPresent(tenant, (_, all) -> all == given ? null : Long.valueOf(all - given));
        }
    }
}
