package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One at a time in each workspace, in the order of arrival. A workspace inside another one counts as
 * the same: a command could otherwise change what the other one's sandbox is just being made of.
 */
final class WorkspaceTurns {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Turn> inOrder = new ArrayList<>();

    /** Whose turn it is until this is closed. */
    final class Turn implements AutoCloseable {
        private final Path workspace;

        private Turn(Path workspace) {
            this.workspace = workspace;
        }

        private boolean overlaps(Turn other) {
            return workspace.startsWith(other.workspace) || other.workspace.startsWith(workspace);
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

    /** Waits until everybody who came before has finished in this workspace. */
    Turn take(Path workspace) throws InterruptedException {
        Turn turn = new Turn(workspace);
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
        return inOrder.subList(0, inOrder.indexOf(turn)).stream().anyMatch(turn::overlaps);
    }
}
