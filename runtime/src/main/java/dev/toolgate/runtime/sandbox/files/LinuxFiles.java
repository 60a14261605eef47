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
 * The calls to the Linux kernel that one file operation makes. Like the kernel itself, each returns
 * a negative {@link Errno} when it fails. Every descriptor opened here is closed with this object.
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

    // The same number means different flags on the two architectures.
    static {
        boolean arm = System.getProperty("os.arch", "").equals("aarch64");
        O_DIRECTORY = arm ? 0x4000 : 0x10000;
        O_NOFOLLOW = arm ? 0x8000 : 0x20000;
    }

    private static final MethodHandle SYSCALL =
            NativeFunction.linkVariadic("syscall", 1, LONG, LONG, INT, ADDRESS, ADDRESS, LONG);
    private static final MethodHandle OPENAT = NativeFunction.linkVariadic("openat", 3, INT, INT, ADDRESS, INT, INT);
    private static final MethodHandle STATX = NativeFunction.link("statx", INT, INT, ADDRESS, INT, INT, ADDRESS);
    private static final MethodHandle READLINKAT = NativeFunction.link("readlinkat", LONG, INT, ADDRESS, ADDRESS, LONG);
    private static final MethodHandle RENAMEAT = NativeFunction.link("renameat", INT, INT, ADDRESS, INT, ADDRESS);
    private static final MethodHandle UNLINKAT = NativeFunction.link("unlinkat", INT, INT, ADDRESS, INT);
    private static final MethodHandle MKDIRAT = NativeFunction.link("mkdirat", INT, INT, ADDRESS, INT);
    private static final MethodHandle FCHOWNAT = NativeFunction.link("fchownat", INT, INT, ADDRESS, INT, INT, INT);
    private static final MethodHandle FACCESSAT = NativeFunction.link("faccessat", INT, INT, ADDRESS, INT, INT);
    private static final MethodHandle FCHMOD = NativeFunction.link("fchmod", INT, INT, INT);
    private static final MethodHandle FSYNC = NativeFunction.link("fsync", INT, INT);
    private static final MethodHandle CLOSE = NativeFunction.link("close", INT, INT);

    private static final int TEXT_ROOM = 4352;
    private static final int STATX_SIZE = 256;

    // The folder of this process's own descriptors, held open for good: finding it costs as much as a file.
    private static final int OWN_DESCRIPTORS = openOwnDescriptors();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment errno = NativeFunction.errnoSegment(arena);
    private final MemorySegment scratch = arena.allocate(STATX_SIZE + 2L * TEXT_ROOM, 8);
    private final MemorySegment struct = scratch.asSlice(0, STATX_SIZE);
    private final MemorySegment first = scratch.asSlice(STATX_SIZE, TEXT_ROOM);
    private final MemorySegment second = scratch.asSlice(STATX_SIZE + (long) TEXT_ROOM, TEXT_ROOM);
    private int[] open = new int[4];
    private int opened;

    private static int openOwnDescriptors() {
        try (LinuxFiles os = new LinuxFiles()) {
            int folder = os.open(Path.of("/proc/self/fd"), O_PATH | O_DIRECTORY);
            os.opened = 0;
            return folder;
        }
    }

    /** Opens a path that is trusted, such as the root itself. */
    int open(Path trusted, int flags) {
        return openAt(AT_FDCWD, trusted.toString(), flags, 0);
    }

    /** Opens the very file of a handle for reading. The caller closes it, not this object. */
    int openForReading(int handle) {
        int descriptor = openAt(OWN_DESCRIPTORS, Integer.toString(handle), O_RDONLY, 0);
        if (descriptor >= 0) {
            opened--;
        }
        return descriptor;
    }

    /** Opens a path such that no step of it leaves the folder; links that stay inside are followed. */
    int openBeneath(int folder, String relative, int flags) {
        MemorySegment path = text(first, relative.isEmpty() ? "." : relative);
        // A path-only open never blocks and the kernel does not take O_NONBLOCK with it.
        struct.set(LONG, 0, flags | O_CLOEXEC | ((flags & O_PATH) == 0 ? O_NONBLOCK : 0));
        struct.set(LONG, 8, 0);
        struct.set(LONG, 16, RESOLVE_BENEATH_NO_MAGICLINKS);
        try {
            return remember((int) result((long) SYSCALL.invokeExact(errno, SYS_OPENAT2, folder, path, struct, 24L)));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** Creates a file that was not there before. */
    int createAt(int folder, String name, int mode) {
        return openAt(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    }

    private int openAt(int folder, String path, int flags, int mode) {
        MemorySegment text = text(first, path);
        try {
            return remember((int) result((int) OPENAT.invokeExact(errno, folder, text, flags | O_CLOEXEC, mode)));
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    /** Looks at an open file; only if the result is 0 does {@link #stat} mean something. */
    int look(int descriptor) {
        return statx(descriptor, "", AT_EMPTY_PATH);
    }

    /** Looks at a name in a folder, at the link itself if it is one. */
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

    /** What the last successful look saw. */
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

    /** The path an open file has now. */
    Path pathOf(int descriptor) {
        MemorySegment link = text(first, Integer.toString(descriptor));
        try {
            int length =
                    (int) result((long) READLINKAT.invokeExact(errno, OWN_DESCRIPTORS, link, second, (long) TEXT_ROOM));
            if (length <= 0 || length == TEXT_ROOM) {
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

    /** Asks whether this process may write the file; root always may. */
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

    /** Closes a descriptor that was given away. */
    static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            close(NativeFunction.errnoSegment(arena), descriptor);
        }
    }

    // Linux lets go of a descriptor even if it reports an error, so there is nothing to try again.
    private static void close(MemorySegment errno, int descriptor) {
        try {
            int ignored = (int) CLOSE.invokeExact(errno, descriptor);
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    private int remember(int descriptor) {
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

    // What does not fit is longer than any path may be, and its beginning still is: the kernel says so.
    private static MemorySegment text(MemorySegment room, String value) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A path with a NUL character must not get this far.");
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, TEXT_ROOM - 1);
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
