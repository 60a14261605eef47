package dev.toolgate.store.artifact;

import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds many artifacts in one transaction: whoever comes first writes for all who wait. So a crowd uses one connection
 * and waits for the disk together, where each by itself would hold a connection and wait for all others in turn.
 */
final class Additions {
    private static final int MOST_AT_ONCE = 100;

    private final Consumer<List<Addition>> writing;
    private final Queue<Addition> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock alone = new ReentrantLock(true);

    /**
     * @param writing writes all in one transaction and tells each what came of it
     */
    Additions(Consumer<List<Addition>> writing) {
        this.writing = writing;
    }

    /** One artifact to be added, and what came of it: its place, or none because of the quota. */
    static final class Addition {
        final TenantId tenant;
        final StoredArtifact artifact;
        final String place;
        final long quota;

        @Nullable
        String kept;

        private boolean done;
        private @Nullable RuntimeException failure;

        Addition(TenantId tenant, StoredArtifact artifact, String place, long quota) {
            this.tenant = tenant;
            this.artifact = artifact;
            this.place = place;
            this.quota = quota;
        }
    }

    /** Where the bytes are from now on; null if the quota is in the way. */
    @Nullable
    String add(Addition mine) {
        waiting.add(mine);
        alone(() -> {
            if (!mine.done) {
                write(some());
            }
        });
        if (mine.failure != null) {
            throw mine.failure;
        }
        return mine.kept;
    }

    /** Does something while nothing is added here. */
    void alone(Runnable work) {
        alone.lock();
        try {
            work.run();
        } finally {
            alone.unlock();
        }
    }

    private List<Addition> some() {
        List<Addition> some = new ArrayList<>();
        for (Addition next = waiting.poll(); next != null; next = waiting.poll()) {
            some.add(next);
            if (some.size() == MOST_AT_ONCE) {
                break;
            }
        }
        // Every server in the same order, so that none waits for another that waits for it.
        some.sort(Comparator.comparing(addition -> addition.tenant.value()));
        return some;
    }

    // What fails together is tried one by one, since one of them may be to blame.
    private void write(List<Addition> some) {
        try {
            writing.accept(some);
        } catch (RuntimeException failed) {
            if (some.size() > 1) {
                some.forEach(one -> write(List.of(one)));
                return;
            }
            some.forEach(one -> one.failure = failed);
        }
        some.forEach(one -> one.done = true);
    }
}
