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
 * Inserts the artifacts of concurrent callers in one transaction: the first caller writes for all that wait. So many
 * callers use one connection and one commit, instead of one each while waiting for the same row lock.
 */
final class InsertBatcher {
    private static final int MAX_BATCH = 100;

    private final Consumer<List<PendingInsert>> writing;
    private final Queue<PendingInsert> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock(true);

    /**
     * @param writing inserts all in one transaction and sets {@link PendingInsert#kept} of each
     */
    InsertBatcher(Consumer<List<PendingInsert>> writing) {
        this.writing = writing;
    }

    /** One artifact to insert; {@code kept} is the place of its bytes afterwards, or null if the quota is exceeded. */
    static final class PendingInsert {
        final TenantId tenant;
        final StoredArtifact artifact;
        final String place;
        final long quota;

        @Nullable
        String kept;

        private boolean done;
        private @Nullable RuntimeException failure;

        PendingInsert(TenantId tenant, StoredArtifact artifact, String place, long quota) {
            this.tenant = tenant;
            this.artifact = artifact;
            this.place = place;
            this.quota = quota;
        }
    }

    /** Returns the place of the bytes, or null if the quota is exceeded. */
    @Nullable
    String add(PendingInsert mine) {
        waiting.add(mine);
        exclusively(() -> {
            while (!mine.done) { // more may have come before it than one batch takes
                write(nextBatch());
            }
        });
        if (mine.failure != null) {
            throw mine.failure;
        }
        return mine.kept;
    }

    /** Runs work while no insert is running. */
    void exclusively(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private List<PendingInsert> nextBatch() {
        List<PendingInsert> batch = new ArrayList<>();
        for (PendingInsert next = waiting.poll(); next != null; next = waiting.poll()) {
            batch.add(next);
            if (batch.size() == MAX_BATCH) {
                break;
            }
        }
        // All servers lock tenants in the same order, to avoid deadlocks.
        batch.sort(Comparator.comparing(insert -> insert.tenant.value()));
        return batch;
    }

    // If a batch fails, its entries are retried one by one, because a single one may have caused it.
    private void write(List<PendingInsert> batch) {
        try {
            writing.accept(batch);
        } catch (RuntimeException failed) {
            if (batch.size() > 1) {
                batch.forEach(one -> write(List.of(one)));
                return;
            }
            batch.forEach(one -> one.failure = failed);
        }
        batch.forEach(one -> one.done = true);
    }
}
