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
 * A workspace's turn among all processes of this machine. Who sets a sandbox up tries to have the workspace alone; where
 * commands of others run, which hold it shared, the sandbox is checked after it was set up, because a command could
 * have changed what it was made of. The kernel gives the lock back if the process dies.
 */
final class CommandFolderLock implements AutoCloseable {
    private static final int READ_CLOSED_ON_EXEC = 0x80000 | 0x800;
    private static final int SHARED_AT_ONCE = 1 | 4;
    private static final int EXCLUSIVE_AT_ONCE = 2 | 4;
    private static final int EINTR = 4;
    private static final int EWOULDBLOCK = 11;
    private static final int PAUSE_MILLIS = 5;

    private static final MethodHandle OPEN = NativeFunction.linkVariadic("open", 2, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle FLOCK = NativeFunction.link("flock", INT, INT, INT);
    private static final MethodHandle CLOSE = NativeFunction.link("close", INT, INT);

    private final int descriptor;

    private boolean alone;

    private CommandFolderLock(int descriptor) {
        this.descriptor = descriptor;
    }

    private enum Answer {
        TAKEN,
        HELD_BY_OTHERS,
        /** Some network file systems cannot lock a folder at all. */
        NOT_POSSIBLE
    }

    /** Takes it alone, or shared with commands that run if sharing is wanted; waits until either can be had. */
    static CommandFolderLock take(Path folder, WorkspaceSharing sharing) throws ToolFailure, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            CommandFolderLock lock = new CommandFolderLock(open(errno, arena.allocateFrom(folder.toString()), folder));
            try {
                Answer answer = lock.ask(errno, EXCLUSIVE_AT_ONCE);
                lock.alone = answer == Answer.TAKEN;
                while (answer == Answer.HELD_BY_OTHERS) {
                    answer = switch (sharing) {
                        case SIDE_BY_SIDE -> lock.ask(errno, SHARED_AT_ONCE);
                        case ONE_AT_A_TIME -> lock.ask(errno, EXCLUSIVE_AT_ONCE);
                    };
                    if (answer == Answer.HELD_BY_OTHERS) {
                        Thread.sleep(PAUSE_MILLIS);
                    }
                }
                lock.alone |= answer == Answer.TAKEN && sharing == WorkspaceSharing.ONE_AT_A_TIME;
                return lock;
            } catch (InterruptedException | RuntimeException stopped) {
                lock.close();
                throw stopped;
            }
        }
    }

    /** Whether nobody else has it, so that no command runs in the workspace. */
    boolean isAlone() {
        return alone;
    }

    /** Lets others have it, too. */
    void share() throws InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            while (alone && ask(errno, SHARED_AT_ONCE) == Answer.HELD_BY_OTHERS) {
                Thread.sleep(PAUSE_MILLIS); // somebody was quicker, for the moment a sandbox takes
            }
            alone = false;
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

    private Answer ask(MemorySegment errno, int how) {
        try {
            if ((int) FLOCK.invokeExact(errno, descriptor, how) == 0) {
                return Answer.TAKEN;
            }
        } catch (Throwable unexpected) {
            throw new IllegalStateException("flock could not be called", unexpected);
        }
        int reason = NativeFunction.errno(errno);
        return reason == EWOULDBLOCK || reason == EINTR ? Answer.HELD_BY_OTHERS : Answer.NOT_POSSIBLE;
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
