package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.Await;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepared sandboxes, each for one command, for recently used workspaces. A sandbox is discarded if its workspace has
 * changed.
 */
final class SandboxPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxPool.class);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    /** Starts a sandbox for a workspace; the caller holds the turn. */
    interface Maker {
        SandboxProcess make(Path workspace, WorkspaceQueue.Turn turn) throws ToolFailure, InterruptedException;
    }

    private record Warm(SandboxProcess sandbox, long since) {}

    private final SandboxSettings settings;
    private final WorkspaceQueue queue;
    private final Maker maker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Deque<Warm>> warm = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Path, Thread> refills = new HashMap<>();
    private final Thread sweeper;
    private boolean closed;

    SandboxPool(SandboxSettings settings, WorkspaceQueue queue, Maker maker) {
        this.settings = settings;
        this.queue = queue;
        this.maker = maker;
        this.sweeper = Thread.ofVirtual().name("toolgate-sandbox-sweep").start(this::sweepForever);
    }

    /** A sandbox that still fits its workspace, if there is one; the caller holds the turn. */
    @Nullable
    SandboxProcess take(Path workspace) {
        while (true) {
            Warm next;
            lock.lock();
            try {
                Deque<Warm> waiting = warm.get(workspace);
                next = waiting == null ? null : waiting.pollFirst();
            } finally {
                lock.unlock();
            }
            if (next == null || next.sandbox().usable()) {
                return next == null ? null : next.sandbox();
            }
            next.sandbox().close();
        }
    }

    /** Prepares sandboxes for the next commands in the background. */
    void refill(Path workspace) {
        lock.lock();
        try {
            if (!closed && settings.warmPerWorkspace() > 0 && !refills.containsKey(workspace)) {
                refills.put(
                        workspace,
                        Thread.ofVirtual().name("toolgate-sandbox-refill").start(() -> fill(workspace)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of prepared sandboxes of a workspace. */
    int preparedCount(Path workspace) {
        lock.lock();
        try {
            Deque<Warm> sandboxes = warm.get(workspace);
            return sandboxes == null ? 0 : sandboxes.size();
        } finally {
            lock.unlock();
        }
    }

    private void fill(Path workspace) {
        try {
            while (preparedCount(workspace) < settings.warmPerWorkspace()) {
                try (WorkspaceQueue.Turn turn = queue.take(workspace)) {
                    add(workspace, maker.make(workspace, turn));
                }
            }
        } catch (ToolFailure failure) {
            // The next command fails the same way and reports it to its caller.
            LOG.debug("No sandbox was prepared for {}: {}", workspace, failure.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                refills.remove(workspace);
            } finally {
                lock.unlock();
            }
        }
    }

    private void add(Path workspace, SandboxProcess sandbox) {
        List<SandboxProcess> surplus = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                surplus.add(sandbox);
            } else {
                warm.computeIfAbsent(workspace, _ -> new ArrayDeque<>()).addLast(new Warm(sandbox, System.nanoTime()));
                Iterator<Deque<Warm>> oldestFirst = warm.values().iterator();
                while (warm.size() > settings.warmWorkspaces()) {
                    oldestFirst.next().forEach(old -> surplus.add(old.sandbox()));
                    oldestFirst.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        surplus.forEach(SandboxProcess::close);
    }

    private void sweepForever() {
        try {
            while (true) {
                Thread.sleep(settings.warmFor().dividedBy(4).plusMillis(1));
                removeOlderThan(settings.warmFor()).forEach(SandboxProcess::close);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private List<SandboxProcess> removeOlderThan(Duration age) {
        List<SandboxProcess> removed = new ArrayList<>();
        lock.lock();
        try {
            long now = System.nanoTime();
            for (Deque<Warm> waiting : warm.values()) {
                waiting.removeIf(old -> now - old.since() >= age.toNanos() && removed.add(old.sandbox()));
            }
            warm.values().removeIf(Deque::isEmpty);
        } finally {
            lock.unlock();
        }
        return removed;
    }

    @Override
    public void close() {
        List<Thread> filling;
        lock.lock();
        try {
            closed = true;
            filling = List.copyOf(refills.values());
        } finally {
            lock.unlock();
        }
        sweeper.interrupt();
        filling.forEach(Thread::interrupt);
        // Sandboxes that are just being started must be closed too.
        Await.until(() -> filling.stream().noneMatch(Thread::isAlive), CLOSE_TIMEOUT);
        removeOlderThan(Duration.ZERO).forEach(SandboxProcess::close);
    }
}
