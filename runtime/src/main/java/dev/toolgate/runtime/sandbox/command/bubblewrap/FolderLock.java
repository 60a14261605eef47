package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static dev.toolgate.runtime.platform.NativeFunction.INT;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.NativeFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A workspace's turn among all processes of this machine: the command of one server must not change
 * what the sandbox of another one is just being made of. The kernel gives it back if the process dies.
 */
final class FolderLock implements AutoCloseable {
    private static final int READ_CLOSED_ON_EXEC = 0x80000 | 0x800;
    private static final int EXCLUSIVE_AT_ONCE = 2 | 4;
    private static final int EINTR = 4;
    private static final int EWOULDBLOCK = 11;
    private static final int PAUSE_MILLIS = 5;

    private static final MethodHandle OPEN = NativeFunction.linkVariadic("open", 2, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle FLOCK = NativeFunction.link("flock", INT, INT, INT);
    private static final MethodHandle CLOSE = NativeFunction.link("close", INT, INT);

    private final int descriptor;

    private FolderLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Waits until no other process has it. */
    static FolderLock take(Path folder) throws ToolFailure, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            FolderLock lock = new FolderLock(open(errno, arena.allocateFrom(folder.toString()), folder));
            try {
                while (isTaken(errno, lock.descriptor)) {
                    Thread.sleep(PAUSE_MILLIS);
                }
                return lock;
            } catch (InterruptedException | RuntimeException stopped) {
                lock.close();
                throw stopped;
            }
        }
    }

    private static int open(MemorySegment errno, MemorySegment path, Path folder) throws ToolFailure {
        int descriptor;
        try {
            descriptor = (int) OPEN.invokeExact(errno, path, READ_CLOSED_ON_EXEC);
        } catch (Throwable unexpected) {
            throw new IllegalStateException("open could not be called", unexpected);
        }
        if (descriptor < 0) {
            throw BindSource.refusal("No command can run in " + folder + " because it cannot be opened (error "
                    + NativeFunction.errno(errno) + "); check that it exists and its permissions");
        }
        return descriptor;
    }

    // Some network file systems cannot lock a folder at all; there it is left to people not to share it.
    private static boolean isTaken(MemorySegment errno, int descriptor) {
        try {
            if ((int) FLOCK.invokeExact(errno, descriptor, EXCLUSIVE_AT_ONCE) == 0) {
                return false;
            }
        } catch (Throwable unexpected) {
            throw new IllegalStateException("flock could not be called", unexpected);
        }
        int reason = NativeFunction.errno(errno);
        return reason == EWOULDBLOCK || reason == EINTR;
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
