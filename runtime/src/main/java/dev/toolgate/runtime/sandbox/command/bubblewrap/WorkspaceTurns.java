package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The order in which commands of a workspace begin. Their sandboxes are set up one after the other; once set up, they run
 * side by side unless one asks for the workspace alone. A workspace inside another one counts as the same: a command
 * could otherwise change what the other one's sandbox is just being made of.
 */
final class WorkspaceTurns {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Turn> inOrder = new ArrayList<>();

    /** Whose turn it is until this is closed, or until its command runs beside others. */
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

        /** Whether commands run in the workspace while this one is being set up. */
        boolean isBesideOthers() {
            lock.lock();
            try {
                return inOrder.stream().anyMatch(other -> other != this && other.running && overlaps(other));
            } finally {
                lock.unlock();
            }
        }

        /** The sandbox is set up, so the next one may be. */
        void running() {
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

    /** Waits until every sandbox that came before has been set up. */
    Turn take(Path workspace) throws InterruptedException {
        return take(workspace, WorkspaceSharing.SIDE_BY_SIDE);
    }

    /** Waits until everybody who came before lets this one begin. */
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
