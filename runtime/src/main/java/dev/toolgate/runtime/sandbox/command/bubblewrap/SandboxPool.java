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
 * Sandboxes started ahead, each for one command, for the workspaces used last. One is thrown away if
 * the workspace has changed shape.
 */
final class SandboxPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxPool.class);

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(20);

    /** Starts a sandbox for a workspace whose turn the caller has. */
    interface Maker {
        SandboxProcess make(Path workspace, WorkspaceTurns.Turn turn) throws ToolFailure, InterruptedException;
    }

    private record Warm(SandboxProcess sandbox, long since) {}

    private final SandboxSettings settings;
    private final WorkspaceTurns turns;
    private final Maker maker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Path, Deque<Warm>> warm = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Path, Thread> refills = new HashMap<>();
    private final Thread sweeper;
    private boolean closed;

    SandboxPool(SandboxSettings settings, WorkspaceTurns turns, Maker maker) {
        this.settings = settings;
        this.turns = turns;
        this.maker = maker;
        this.sweeper = Thread.ofVirtual().name("toolgate-sandbox-sweep").start(this::sweepForever);
    }

    /** One that is still right for its workspace, if there is one; the caller has the turn. */
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

    /** Starts sandboxes for the next commands, in the background. */
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

    /** How many wait for a workspace. */
    int waiting(Path workspace) {
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
            while (waiting(workspace) < settings.warmPerWorkspace()) {
                try (WorkspaceTurns.Turn turn = turns.take(workspace)) {
                    add(workspace, maker.make(workspace, turn));
                }
            }
        } catch (ToolFailure failure) {
            // The next command meets the same problem and tells its caller.
            LOG.debug("No sandbox was started ahead for {}: {}", workspace, failure.getMessage());
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
        List<SandboxProcess> superfluous = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                superfluous.add(sandbox);
            } else {
                warm.computeIfAbsent(workspace, _ -> new ArrayDeque<>()).addLast(new Warm(sandbox, System.nanoTime()));
                Iterator<Deque<Warm>> oldestFirst = warm.values().iterator();
                while (warm.size() > settings.warmWorkspaces()) {
                    oldestFirst.next().forEach(old -> superfluous.add(old.sandbox()));
                    oldestFirst.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        superfluous.forEach(SandboxProcess::close);
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
        // What they have begun to start must have ended before anybody may think that nothing is left.
        Await.until(() -> filling.stream().noneMatch(Thread::isAlive), CLOSE_PATIENCE);
        removeOlderThan(Duration.ZERO).forEach(SandboxProcess::close);
    }
}
