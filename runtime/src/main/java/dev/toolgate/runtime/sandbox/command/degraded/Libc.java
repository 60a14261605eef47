package dev.toolgate.runtime.sandbox.command.degraded;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static dev.toolgate.runtime.platform.NativeFunction.LONG;
import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.toolgate.runtime.platform.NativeFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The C library functions needed to start and end processes directly. */
final class Libc {
    static final int SIGKILL = 9;
    static final int SIGTERM = 15;
    static final int EINTR = 4;
    private static final int O_CLOEXEC = 0x80000;

    private static final MethodHandle SYSCALL =
            NativeFunction.linkVariadic("syscall", 1, LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle PRCTL = NativeFunction.linkVariadic("prctl", 1, INT, INT, LONG, LONG, LONG, LONG);
    private static final MethodHandle PIPE2 = NativeFunction.link("pipe2", INT, ADDRESS, INT);
    private static final MethodHandle OPEN = NativeFunction.linkVariadic("open", 2, INT, ADDRESS, INT);
    private static final MethodHandle CLOSE = NativeFunction.link("close", INT, INT);
    private static final MethodHandle KILL = NativeFunction.link("kill", INT, INT, INT);
    private static final MethodHandle WAITPID = NativeFunction.link("waitpid", INT, INT, ADDRESS, INT);
    private static final MethodHandle GETEUID = NativeFunction.link("geteuid", INT);

    private Libc() {}

    /** The result of a call, and errno if it failed. */
    record Result(long value, int errno) {
        boolean failed() {
            return value < 0;
        }

        int orThrow(String what) throws IOException {
            if (failed()) {
                throw new IOException(what + " failed with error " + errno);
            }
            return (int) value;
        }
    }

    static Result syscall(long number, long first, long second, long third, long fourth) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            long value = (long) SYSCALL.invokeExact(errno, number, first, second, third, fourth);
            return new Result(value, NativeFunction.errno(errno));
        } catch (Throwable e) {
            throw new LinkageError("syscall", e);
        }
    }

    static Result prctl(int option, long argument) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            int value = (int) PRCTL.invokeExact(errno, option, argument, 0L, 0L, 0L);
            return new Result(value, NativeFunction.errno(errno));
        } catch (Throwable e) {
            throw new LinkageError("prctl", e);
        }
    }

    /** A pipe with close-on-exec set. */
    static Pipe pipe() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            MemorySegment ends = arena.allocate(INT, 2);
            int value = (int) PIPE2.invokeExact(errno, ends, O_CLOEXEC);
            new Result(value, NativeFunction.errno(errno)).orThrow("pipe2");
            return new Pipe(ends.getAtIndex(INT, 0), ends.getAtIndex(INT, 1));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("pipe2", e);
        }
    }

    static Result open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            int value = (int) OPEN.invokeExact(errno, arena.allocateFrom(path), flags | O_CLOEXEC);
            return new Result(value, NativeFunction.errno(errno));
        } catch (Throwable e) {
            throw new LinkageError("open", e);
        }
    }

    static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            var _ = (int) CLOSE.invokeExact(errno, descriptor);
        } catch (Throwable e) {
            throw new LinkageError("close", e);
        }
    }

    static Result kill(int target, int signal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            int value = (int) KILL.invokeExact(errno, target, signal);
            return new Result(value, NativeFunction.errno(errno));
        } catch (Throwable e) {
            throw new LinkageError("kill", e);
        }
    }

    /** Waits until a child ends; returns its exit code, or 128 plus the signal that ended it. */
    static int waitFor(int pid) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            MemorySegment status = arena.allocate(INT);
            Result result;
            do {
                int value = (int) WAITPID.invokeExact(errno, pid, status, 0);
                result = new Result(value, NativeFunction.errno(errno));
            } while (result.failed() && result.errno() == EINTR);
            result.orThrow("waitpid");
            int word = status.get(INT, 0);
            int signal = word & 0x7F;
            return signal == 0 ? (word >> 8) & 0xFF : 128 + signal;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("waitpid", e);
        }
    }

    static boolean isRoot() {
        try (Arena arena = Arena.ofConfined()) {
            return (int) GETEUID.invokeExact(NativeFunction.errnoSegment(arena)) == 0;
        } catch (Throwable e) {
            throw new LinkageError("geteuid", e);
        }
    }
}
