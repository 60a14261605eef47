package dev.toolgate.runtime.sandbox.files;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static dev.toolgate.runtime.platform.NativeFunction.LONG;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.toolgate.runtime.platform.NativeFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The Linux system calls of one file operation. Each returns a negative {@link Errno} on failure. Descriptors opened
 * here are closed with this object.
 */
final class LinuxFiles implements AutoCloseable {
    static final int AT_FDCWD = -100;
    static final int O_RDONLY = 0;
    static final int O_PATH = 0x200000;
    static final int O_DIRECTORY;
    static final int O_NOFOLLOW;

    private static final int O_WRONLY = 1;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7FF;
    private static final long SYS_OPENAT2 = 437;
    private static final long RESOLVE_BENEATH_NO_MAGICLINKS = 0x08 | 0x02;
    private static final int W_OK = 2;
    private static final int RENAME_NOREPLACE = 1;
    private static final int RENAME_EXCHANGE = 2;

    private static final long SYS_RENAMEAT2;

    // These differ between the two architectures.
    static {
        boolean arm = System.getProperty("os.arch", "").equals("aarch64");
        O_DIRECTORY = arm ? 0x4000 : 0x10000;
        O_NOFOLLOW = arm ? 0x8000 : 0x20000;
        SYS_RENAMEAT2 = arm ? 276 : 316;
    }

    private static final MethodHandle SYSCALL =
            NativeFunction.linkVariadic("syscall", 1, LONG, LONG, INT, ADDRESS, ADDRESS, LONG);
    private static final MethodHandle OPENAT = NativeFunction.linkVariadic("openat", 3, INT, INT, ADDRESS, INT, INT);
    private static final MethodHandle STATX = NativeFunction.link("statx", INT, INT, ADDRESS, INT, INT, ADDRESS);
    private static final MethodHandle READLINKAT = NativeFunction.link("readlinkat", LONG, INT, ADDRESS, ADDRESS, LONG);
    private static final MethodHandle RENAMEAT = NativeFunction.link("renameat", INT, INT, ADDRESS, INT, ADDRESS);
    private static final MethodHandle SYSCALL_RENAMEAT2 =
            NativeFunction.linkVariadic("syscall", 1, LONG, LONG, INT, ADDRESS, INT, ADDRESS, INT);
    private static final MethodHandle UNLINKAT = NativeFunction.link("unlinkat", INT, INT, ADDRESS, INT);
    private static final MethodHandle MKDIRAT = NativeFunction.link("mkdirat", INT, INT, ADDRESS, INT);
    private static final MethodHandle FCHOWNAT = NativeFunction.link("fchownat", INT, INT, ADDRESS, INT, INT, INT);
    private static final MethodHandle FACCESSAT = NativeFunction.link("faccessat", INT, INT, ADDRESS, INT, INT);
    private static final MethodHandle FCHMOD = NativeFunction.link("fchmod", INT, INT, INT);
    private static final MethodHandle FSYNC = NativeFunction.link("fsync", INT, INT);
    private static final MethodHandle CLOSE = NativeFunction.link("close", INT, INT);

    private static final int PATH_BUFFER_BYTES = 4352;
    private static final int STATX_SIZE = 256;

    // The descriptor folder of this process, kept open because opening it costs as much as opening a file.
    private static final int OWN_DESCRIPTORS = openOwnDescriptors();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment errno = NativeFunction.errnoSegment(arena);
    private final MemorySegment scratch = arena.allocate(STATX_SIZE + 2L * PATH_BUFFER_BYTES, 8);
    private final MemorySegment struct = scratch.asSlice(0, STATX_SIZE);
    private final MemorySegment first = scratch.asSlice(STATX_SIZE, PATH_BUFFER_BYTES);
    private final MemorySegment second = scratch.asSlice(STATX_SIZE + (long) PATH_BUFFER_BYTES, PATH_BUFFER_BYTES);
    private int[] open = new int[4];
    private int opened;

    private static int openOwnDescriptors() {
        try (LinuxFiles os = new LinuxFiles()) {
            int folder = os.open(Path.of("/proc/self/fd"), O_PATH | O_DIRECTORY);
            os.opened = 0;
            return folder;
        }
    }

    /** Opens a trusted path, such as the root. */
    int open(Path trusted, int flags) {
        return openAt(AT_FDCWD, trusted.toString(), flags, 0);
    }

    /** Opens the file of a handle for reading. The caller must close it. */
    int openForReading(int handle) {
        int descriptor = openAt(OWN_DESCRIPTORS, Integer.toString(handle), O_RDONLY, 0);
        if (descriptor >= 0) {
            opened--;
        }
        return descriptor;
    }

    /** Opens a path beneath a folder; links that stay inside are followed. */
    int openBeneath(int folder, String relative, int flags) {
        MemorySegment path = text(first, relative.isEmpty() ? "." : relative);
        // Opening with O_PATH never blocks, and the kernel rejects O_NONBLOCK with it.
        struct.set(LONG, 0, flags | O_CLOEXEC | ((flags & O_PATH) == 0 ? O_NONBLOCK : 0));
        struct.set(LONG, 8, 0);
        struct.set(LONG, 16, RESOLVE_BENEATH_NO_MAGICLINKS);
        try {
            return track((int) result((long) SYSCALL.invokeExact(errno, SYS_OPENAT2, folder, path, struct, 24L)));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** Creates a new file; fails if it exists. */
    int createAt(int folder, String name, int mode) {
        return openAt(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    }

    private int openAt(int folder, String path, int flags, int mode) {
        MemorySegment text = text(first, path);
        try {
            return track((int) result((int) OPENAT.invokeExact(errno, folder, text, flags | O_CLOEXEC, mode)));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** Reads the attributes of an open file; {@link #stat} is valid only if the result is 0. */
    int look(int descriptor) {
        return statx(descriptor, "", AT_EMPTY_PATH);
    }

    /** Reads the attributes of a name in a folder, without following links. */
    int lookAt(int folder, String name) {
        return statx(folder, name, AT_SYMLINK_NOFOLLOW);
    }

    private int statx(int folder, String path, int flags) {
        MemorySegment text = text(first, path);
        try {
            return (int) result((int) STATX.invokeExact(errno, folder, text, flags, STATX_BASIC_STATS, struct));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** The attributes read last. */
    FileStat stat() {
        return new FileStat(
                Short.toUnsignedInt(struct.get(JAVA_SHORT, 28)),
                struct.get(INT, 16),
                struct.get(INT, 20),
                struct.get(INT, 24),
                (long) struct.get(INT, 136) << 32 | Integer.toUnsignedLong(struct.get(INT, 140)),
                struct.get(LONG, 32),
                struct.get(LONG, 40));
    }

    /** The current path of an open file. */
    Path pathOf(int descriptor) {
        MemorySegment link = text(first, Integer.toString(descriptor));
        try {
            int length = (int) result(
                    (long) READLINKAT.invokeExact(errno, OWN_DESCRIPTORS, link, second, (long) PATH_BUFFER_BYTES));
            if (length <= 0 || length == PATH_BUFFER_BYTES) {
                throw new IllegalStateException("The path of an open file cannot be read; is /proc mounted?");
            }
            return Path.of(new String(second.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    int renameAt(int folder, String from, String to) {
        try {
            return (int) result((int) RENAMEAT.invokeExact(errno, folder, text(first, from), folder, text(second, to)));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** Swaps two names of a folder in one step. */
    int exchangeAt(int folder, String one, String other) {
        return renameAt(folder, one, other, RENAME_EXCHANGE);
    }

    /** Renames a file; fails if the new name is taken. */
    int renameToFreeNameAt(int folder, String from, String to) {
        return renameAt(folder, from, to, RENAME_NOREPLACE);
    }

    private int renameAt(int folder, String from, String to, int flags) {
        try {
            return (int) result((long) SYSCALL_RENAMEAT2.invokeExact(
                    errno, SYS_RENAMEAT2, folder, text(first, from), folder, text(second, to), flags));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    int unlinkAt(int folder, String name) {
        try {
            return (int) result((int) UNLINKAT.invokeExact(errno, folder, text(first, name), 0));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    int makeFolderAt(int folder, String name, int mode) {
        try {
            return (int) result((int) MKDIRAT.invokeExact(errno, folder, text(first, name), mode));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    int changeOwner(int descriptor, int uid, int gid) {
        try {
            return (int)
                    result((int) FCHOWNAT.invokeExact(errno, descriptor, text(first, ""), uid, gid, AT_EMPTY_PATH));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** Checks whether this process may write to the file; root always may. */
    int accessForWritingAt(int folder, String name) {
        try {
            return (int) result((int) FACCESSAT.invokeExact(errno, folder, text(first, name), W_OK, 0));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    int changeMode(int descriptor, int mode) {
        try {
            return (int) result((int) FCHMOD.invokeExact(errno, descriptor, mode));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    int sync(int descriptor) {
        try {
            return (int) result((int) FSYNC.invokeExact(errno, descriptor));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    @Override
    public void close() {
        for (int at = opened - 1; at >= 0; at--) {
            close(errno, open[at]);
        }
        arena.close();
    }

    /** Closes a descriptor that is no longer owned by an instance. */
    static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            close(NativeFunction.errnoSegment(arena), descriptor);
        }
    }

    // Linux releases the descriptor even on error, so there is nothing to retry.
    private static void close(MemorySegment errno, int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(errno, descriptor);
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    private int track(int descriptor) {
        if (descriptor >= 0) {
            if (opened == open.length) {
                open = Arrays.copyOf(open, opened * 2);
            }
            open[opened++] = descriptor;
        }
        return descriptor;
    }

    private long result(long value) {
        return value == -1 ? -NativeFunction.errno(errno) : value;
    }

    // A longer path is truncated and still exceeds PATH_MAX, so the kernel reports the error.
    private static MemorySegment text(MemorySegment room, String value) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The path contains a NUL character, which must be refused earlier.");
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, PATH_BUFFER_BYTES - 1);
        MemorySegment.copy(bytes, 0, room, JAVA_BYTE, 0, length);
        room.set(JAVA_BYTE, length, (byte) 0);
        return room;
    }

    private static RuntimeException unexpected(Throwable broken) {
        if (broken instanceof Error error) {
            throw error;
        }
        return broken instanceof RuntimeException known ? known : new IllegalStateException(broken);
    }
}
