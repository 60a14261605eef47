package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static dev.toolgate.runtime.platform.NativeFunction.INT;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.NativeFunction;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A lock on a workspace among all processes of this machine. Setting up a sandbox tries to lock exclusively. Running
 * commands hold it shared; then the sandbox is checked after setup, because a command could have changed the
 * workspace in the meantime. The kernel releases the lock if the process dies.
 */
final class WorkspaceLock implements AutoCloseable {
    private static final int OPEN_FLAGS = 0x80000 | 0x800;
    private static final int SHARED_NONBLOCKING = 1 | 4;
    private static final int EXCLUSIVE_NONBLOCKING = 2 | 4;
    private static final int EINTR = 4;
    private static final int EWOULDBLOCK = 11;
    private static final int PAUSE_MILLIS = 5;

    private static final MethodHandle OPEN = NativeFunction.linkVariadic("open", 2, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle FLOCK = NativeFunction.link("flock", INT, INT, INT);
    private static final MethodHandle CLOSE = NativeFunction.link("close", INT, INT);

    private final int descriptor;

    private boolean exclusive;

    private WorkspaceLock(int descriptor) {
        this.descriptor = descriptor;
    }

    private enum LockResult {
        TAKEN,
        HELD_BY_OTHERS,
        /** Some network file systems cannot lock a folder. */
        UNSUPPORTED
    }

    /** Locks exclusively, or shared with running commands where sharing is allowed; waits until one is possible. */
    static WorkspaceLock take(Path folder, WorkspaceSharing sharing) throws ToolFailure, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            WorkspaceLock lock = new WorkspaceLock(open(errno, arena.allocateFrom(folder.toString()), folder));
            try {
                LockResult result = lock.tryLock(errno, EXCLUSIVE_NONBLOCKING);
                lock.exclusive = result == LockResult.TAKEN;
                while (result == LockResult.HELD_BY_OTHERS) {
                    result = switch (sharing) {
                        case SIDE_BY_SIDE -> lock.tryLock(errno, SHARED_NONBLOCKING);
                        case ONE_AT_A_TIME -> lock.tryLock(errno, EXCLUSIVE_NONBLOCKING);
                    };
                    if (result == LockResult.HELD_BY_OTHERS) {
                        Thread.sleep(PAUSE_MILLIS);
                    }
                }
                lock.exclusive |= result == LockResult.TAKEN && sharing == WorkspaceSharing.ONE_AT_A_TIME;
                return lock;
            } catch (InterruptedException | RuntimeException stopped) {
                lock.close();
                throw stopped;
            }
        }
    }

    /** Whether the lock is exclusive, so that no command runs in the workspace. */
    boolean isExclusive() {
        return exclusive;
    }

    /** Downgrades to a shared lock. */
    void share() throws InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            while (exclusive && tryLock(errno, SHARED_NONBLOCKING) == LockResult.HELD_BY_OTHERS) {
                Thread.sleep(PAUSE_MILLIS); // another process holds it while it sets up a sandbox
            }
            exclusive = false;
        }
    }

    private static int open(MemorySegment errno, MemorySegment path, Path folder) throws ToolFailure {
        int descriptor;
        try {
            descriptor = (int) OPEN.invokeExact(errno, path, OPEN_FLAGS);
        } catch (Throwable unexpected) {
            throw new IllegalStateException("open could not be called", unexpected);
        }
        if (descriptor < 0) {
            throw BindSource.refusal("No command can run in " + folder + " because it cannot be opened (error "
                    + NativeFunction.errno(errno) + "); check that it exists and its permissions");
        }
        return descriptor;
    }

    private LockResult tryLock(MemorySegment errno, int how) {
        try {
            if ((int) FLOCK.invokeExact(errno, descriptor, how) == 0) {
                return LockResult.TAKEN;
            }
        } catch (Throwable unexpected) {
            throw new IllegalStateException("flock could not be called", unexpected);
        }
        int reason = NativeFunction.errno(errno);
        return reason == EWOULDBLOCK || reason == EINTR ? LockResult.HELD_BY_OTHERS : LockResult.UNSUPPORTED;
    }

    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            int ignored = (int) CLOSE.invokeExact(NativeFunction.errnoSegment(arena), descriptor);
        } catch (Throwable unexpected) {
            throw new IllegalStateException("close could not be called", unexpected);
        }
    }
}
