package dev.toolgate.runtime.workspace;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open workspaces of all tenants. A workspace is opened by its first call, shared by concurrent calls, and closed
 * after it was idle for a while. The pool's lock is never held while a workspace is opened or closed, so that no
 * workspace waits for another.
 */
public final class WorkspacePool implements Workspaces, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspacePool.class);

    /** A workspace is identified by tenant and folder, so tenants never share one. */
    private record PoolKey(TenantId tenant, Path folder) {}

    private static final class ShutDown extends IOException {
        private static final long serialVersionUID = 1L;
        private static final String MESSAGE =
                "No workspace can be used because the server is shutting down; try again later";

        ShutDown() {
            super(MESSAGE);
        }
    }

    /** A workspace from its first lease until it is closed; reopening it creates a new entry. */
    private static final class Entry {
        private final PoolKey key;
        private final ReentrantLock opening = new ReentrantLock();
        private @Nullable OpenWorkspace workspace; // guarded by opening
        private boolean closed; // guarded by opening
        private int leases; // guarded by the lock of the pool
        private long idleSinceNanos; // guarded by the lock of the pool

        Entry(PoolKey key) {
            this.key = key;
        }

        OpenWorkspace open(WorkspaceSettings settings) throws IOException {
            opening.lock();
            try {
                if (closed) {
                    throw new ShutDown();
                }
                if (workspace == null) {
                    WorkspaceAccount.createIfMissing(settings.folder());
                    workspace = OpenWorkspace.open(settings);
                }
                return workspace;
            } finally {
                opening.unlock();
            }
        }

        void close() {
            opening.lock();
            try {
                closed = true;
                if (workspace != null) {
                    workspace.close();
                }
            } catch (RuntimeException failed) {
                LOG.warn("Workspace {} of tenant {} was not closed cleanly", key.folder, key.tenant, failed);
            } finally {
                opening.unlock();
            }
        }
    }

    private final Function<WorkspaceKey, WorkspaceSettings> settings;
    private final IdleLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<PoolKey, Entry> entries = new HashMap<>();
    private final Map<PoolKey, Entry> idle = new LinkedHashMap<>(); // the unused entries, longest idle first
    private final Thread closer;
    private boolean closed;

    /** @param settings the settings of a call's workspace; called for every call, so it must be fast */
    public WorkspacePool(Function<WorkspaceKey, WorkspaceSettings> settings, IdleLimits limits) {
        this.settings = settings;
        this.limits = limits;
        this.closer = Thread.ofVirtual().name("toolgate-workspace-closer").start(this::closeIdle);
    }

    /**
     * Opens a workspace before the first call needs it.
     *
     * @throws IOException if it cannot be used
     */
    public void prepare(WorkspaceKey key) throws IOException {
        open(key).close();
    }

    @Override
    public WorkspaceLease lease(WorkspaceKey key) throws ToolFailure {
        try {
            return open(key);
        } catch (ShutDown closing) {
            throw new ToolFailure(ErrorCode.SERVICE_UNAVAILABLE, ShutDown.MESSAGE);
        } catch (IOException unusable) {
            LOG.error("Workspace {} cannot be opened", key, unusable);
            throw new ToolFailure(
                    ErrorCode.INTERNAL_ERROR,
                    "The workspace of this tenant cannot be opened; the" + " server's log says why");
        }
    }

    /** The number of open workspaces. */
    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    private WorkspaceLease open(WorkspaceKey key) throws IOException {
        WorkspaceSettings wanted = settings.apply(key);
        Entry entry = take(new PoolKey(key.tenant(), wanted.folder()));
        try {
            return new WorkspaceLease(entry.open(wanted), () -> release(entry));
        } catch (IOException | RuntimeException unusable) {
            release(entry); // the next call tries to open it again
            throw unusable;
        }
    }

    private Entry take(PoolKey key) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new ShutDown();
            }
            Entry entry = entries.computeIfAbsent(key, Entry::new);
            entry.leases++;
            idle.remove(key);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private void release(Entry entry) {
        lock.lock();
        try {
            entry.leases--;
            if (entry.leases == 0 && entries.get(entry.key) == entry) {
                entry.idleSinceNanos = System.nanoTime();
                idle.put(entry.key, entry);
                if (idle.size() > limits.maxIdle()) {
                    changed.signal(); // otherwise the closer wakes up by its time-out
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeIdle() {
        try {
            for (List<Entry> due = awaitDue(); !due.isEmpty(); due = awaitDue()) {
                due.forEach(Entry::close);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for entries to close, because they are idle for too long or too many, and removes them from the pool; empty
     * once the pool is closed.
     */
    private List<Entry> awaitDue() throws InterruptedException {
        lock.lock();
        try {
            List<Entry> due = removeDue();
            while (due.isEmpty() && !closed) {
                changed.awaitNanos(nanosToNext());
                due = removeDue();
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    private List<Entry> removeDue() {
        List<Entry> due = new ArrayList<>();
        Iterator<Entry> longestIdleFirst = idle.values().iterator();
        while (longestIdleFirst.hasNext()) {
            Entry next = longestIdleFirst.next();
            if (idle.size() <= limits.maxIdle() && nanosLeft(next) > 0) {
                break;
            }
            longestIdleFirst.remove();
            entries.remove(next.key);
            due.add(next);
        }
        return due;
    }

    /** The time until the next entry is idle for too long. */
    private long nanosToNext() {
        return idle.isEmpty()
                ? limits.idleTimeout().toNanos()
                : nanosLeft(idle.values().iterator().next());
    }

    private long nanosLeft(Entry entry) {
        return limits.idleTimeout().toNanos() - (System.nanoTime() - entry.idleSinceNanos);
    }

    /** Closes all workspaces, including those in use; no other is opened afterwards. */
    @Override
    public void close() {
        List<Entry> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(entries.values());
            entries.clear();
            idle.clear();
            changed.signal();
        } finally {
            lock.unlock();
        }
        all.forEach(Entry::close);
        try {
            closer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
