package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Orders the commands of a workspace. Their sandboxes are set up one after another; then commands run concurrently
 * unless one requires exclusive use. Nested workspaces count as one, because a command could otherwise change a
 * workspace while a sandbox is set up for it.
 */
final class WorkspaceQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Turn> inOrder = new ArrayList<>();

    /**
     * A place in the queue; it blocks later ones until it is closed, or until its command is running and allows others.
     */
    final class Turn implements AutoCloseable {
        private final Path workspace;
        private final WorkspaceSharing sharing;
        private boolean running;

        private Turn(Path workspace, WorkspaceSharing sharing) {
            this.workspace = workspace;
            this.sharing = sharing;
        }

        private boolean overlaps(Turn other) {
            return workspace.startsWith(other.workspace) || other.workspace.startsWith(workspace);
        }

        private boolean allows(Turn later) {
            return running
                    && sharing == WorkspaceSharing.SIDE_BY_SIDE
                    && later.sharing == WorkspaceSharing.SIDE_BY_SIDE;
        }

        /** Whether other commands run in the workspace. */
        boolean othersAreRunning() {
            lock.lock();
            try {
                return inOrder.stream().anyMatch(other -> other != this && other.running && overlaps(other));
            } finally {
                lock.unlock();
            }
        }

        /** Called when the sandbox is set up, so that the next one may start. */
        void markRunning() {
            lock.lock();
            try {
                running = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                inOrder.remove(this);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until every earlier sandbox is set up. */
    Turn take(Path workspace) throws InterruptedException {
        return take(workspace, WorkspaceSharing.SIDE_BY_SIDE);
    }

    /** Waits until all earlier turns allow this one to start. */
    Turn take(Path workspace, WorkspaceSharing sharing) throws InterruptedException {
        Turn turn = new Turn(workspace, sharing);
        lock.lockInterruptibly();
        try {
            inOrder.add(turn);
            try {
                while (hasToWait(turn)) {
                    changed.await();
                }
                return turn;
            } catch (InterruptedException interrupted) {
                turn.close();
                throw interrupted;
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean hasToWait(Turn turn) {
        return inOrder.subList(0, inOrder.indexOf(turn)).stream()
                .anyMatch(earlier -> turn.overlaps(earlier) && !earlier.allows(turn));
    }
}
