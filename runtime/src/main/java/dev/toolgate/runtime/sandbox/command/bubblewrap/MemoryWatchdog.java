package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.ProcessTree;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Ends commands whose processes together use too much memory. One thread checks all of them, and runs only while there
 * are any.
 */
final class MemoryWatchdog {
    private static final int INTERVAL_MILLIS = 100;

    private final long limitBytes;
    private final @Nullable Path cgroup;
    private final Set<Watch> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean();

    /** @param cgroup a folder to create cgroups in; without one, the memory of the processes is summed up */
    MemoryWatchdog(long limitBytes, @Nullable Path cgroup) {
        this.limitBytes = limitBytes;
        this.cgroup = cgroup;
    }

    /** Whether processes are moved to a cgroup; a process that is just being forked would not be moved. */
    boolean usesCgroup() {
        return cgroup != null;
    }

    /** A command that is watched until this is closed. */
    final class Watch implements AutoCloseable {
        private final ProcessTree tree;
        private final @Nullable MemoryCgroup group;
        private volatile boolean exceeded;

        private Watch(ProcessTree tree, @Nullable MemoryCgroup group) {
            this.tree = tree;
            this.group = group;
        }

        /** Why the watchdog ended the command; empty if it did not. */
        Optional<String> verdict() {
            return exceeded || (group != null && group.exceeded())
                    ? Optional.of("The command used more than " + (limitBytes >> 20)
                            + " MiB of memory and was ended; use less memory or raise the limit")
                    : Optional.empty();
        }

        private void check() {
            if (group == null ? tree.residentBytes() > limitBytes : group.exceeded()) {
                exceeded = true;
                tree.kill();
            }
        }

        @Override
        public void close() {
            watched.remove(this);
            if (group != null) {
                exceeded |= group.exceeded();
                group.close();
            }
        }
    }

    Watch watch(ProcessTree tree) throws ToolFailure {
        Watch watch = new Watch(tree, cgroup == null ? null : MemoryCgroup.confine(cgroup, tree, limitBytes));
        watched.add(watch);
        ensureRunning();
        return watch;
    }

    private void ensureRunning() {
        if (!watched.isEmpty() && running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("toolgate-memory-watchdog").start(this::checkAll);
        }
    }

    private void checkAll() {
        try {
            while (!watched.isEmpty()) {
                Thread.sleep(INTERVAL_MILLIS);
                watched.forEach(Watch::check);
            }
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        } finally {
            running.set(false);
        }
        // A command may have been added after the last check.
        ensureRunning();
    }
}
