package dev.toolgate.runtime.sandbox.command.degraded;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.toolgate.runtime.platform.NativeFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One prepared {@code posix_spawn}. All memory is laid out in advance, because the thread that runs it may already be
 * confined. {@link ProcessBuilder} cannot be used: it starts its reaper thread from the starting thread, and the reaper
 * would stay confined when it is reused later.
 */
final class Spawn implements AutoCloseable {
    /** Larger than in any C library; the sizes are not part of the API. */
    private static final int OPAQUE_BYTES = 1024;

    private static final short SET_GROUP = 0x02;
    private static final short SET_DEFAULT_SIGNALS = 0x04;
    private static final short SET_SIGNAL_MASK = 0x08;

    private static final MethodHandle POSIX_SPAWN =
            NativeFunction.link("posix_spawn", INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle ACTIONS_INIT = pointer("posix_spawn_file_actions_init");
    private static final MethodHandle ACTIONS_DESTROY = pointer("posix_spawn_file_actions_destroy");
    private static final MethodHandle ACTIONS_DUP2 =
            NativeFunction.link("posix_spawn_file_actions_adddup2", INT, ADDRESS, INT, INT);
    private static final MethodHandle ACTIONS_CHDIR =
            NativeFunction.link("posix_spawn_file_actions_addchdir_np", INT, ADDRESS, ADDRESS);
    private static final MethodHandle ATTR_INIT = pointer("posix_spawnattr_init");
    private static final MethodHandle ATTR_DESTROY = pointer("posix_spawnattr_destroy");
    private static final MethodHandle ATTR_FLAGS =
            NativeFunction.link("posix_spawnattr_setflags", INT, ADDRESS, JAVA_SHORT);
    private static final MethodHandle ATTR_GROUP = NativeFunction.link("posix_spawnattr_setpgroup", INT, ADDRESS, INT);
    private static final MethodHandle ATTR_DEFAULTS =
            NativeFunction.link("posix_spawnattr_setsigdefault", INT, ADDRESS, ADDRESS);
    private static final MethodHandle ATTR_MASK =
            NativeFunction.link("posix_spawnattr_setsigmask", INT, ADDRESS, ADDRESS);
    private static final MethodHandle FILL_SIGNALS = pointer("sigfillset");

    private final Arena arena = Arena.ofShared();
    private final MemorySegment errno = NativeFunction.errnoSegment(arena);
    private final MemorySegment actions = arena.allocate(OPAQUE_BYTES, 16);
    private final MemorySegment attributes = arena.allocate(OPAQUE_BYTES, 16);
    private final MemorySegment pid = arena.allocate(INT);
    private final MemorySegment program;
    private final MemorySegment arguments;
    private final MemorySegment environment;

    /**
     * @param group the process group to join; 0 for a new one
     * @param descriptors the descriptors for standard input, output and error, in this order
     */
    Spawn(List<String> command, Map<String, String> environment, Path cwd, int group, List<Integer> descriptors)
            throws IOException {
        try {
            this.program = arena.allocateFrom(command.getFirst());
            this.arguments = strings(command);
            this.environment = strings(environment.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .toList());
            check((int) ACTIONS_INIT.invokeExact(errno, actions));
            check((int) ATTR_INIT.invokeExact(errno, attributes));
            for (int target = 0; target < descriptors.size(); target++) {
                check((int) ACTIONS_DUP2.invokeExact(errno, actions, (int) descriptors.get(target), target));
            }
            check((int) ACTIONS_CHDIR.invokeExact(errno, actions, arena.allocateFrom(cwd.toString())));
            MemorySegment none = arena.allocate(OPAQUE_BYTES, 16);
            MemorySegment all = arena.allocate(OPAQUE_BYTES, 16);
            check((int) FILL_SIGNALS.invokeExact(errno, all));
            check((int) ATTR_MASK.invokeExact(errno, attributes, none));
            check((int) ATTR_DEFAULTS.invokeExact(errno, attributes, all));
            check((int) ATTR_GROUP.invokeExact(errno, attributes, group));
            short flags = SET_GROUP | SET_DEFAULT_SIGNALS | SET_SIGNAL_MASK;
            check((int) ATTR_FLAGS.invokeExact(errno, attributes, flags));
        } catch (IOException e) {
            arena.close();
            throw e;
        } catch (Throwable e) {
            arena.close();
            throw new LinkageError("posix_spawn", e);
        }
    }

    /**
     * Links the required functions, so that missing ones are noticed before the first command.
     *
     * @throws UnsupportedOperationException if the C library is too old
     */
    static void requireSupport() {
        try {
            new Spawn(List.of("/bin/sh"), Map.of(), Path.of("/"), 0, List.of()).close();
        } catch (IOException | LinkageError e) {
            throw new UnsupportedOperationException(
                    "The C library has no posix_spawn_file_actions_addchdir_np; use glibc 2.29, musl 1.1.24 or"
                            + " newer",
                    e);
        }
    }

    /** Starts the process: its id, or the error as a negative number. */
    int run() {
        try {
            int error = (int) POSIX_SPAWN.invokeExact(errno, pid, program, actions, attributes, arguments, environment);
            return error == 0 ? pid.get(INT, 0) : -error;
        } catch (Throwable e) {
            throw new LinkageError("posix_spawn", e);
        }
    }

    @Override
    public void close() {
        try {
            var _ = (int) ACTIONS_DESTROY.invokeExact(errno, actions);
            var _ = (int) ATTR_DESTROY.invokeExact(errno, attributes);
        } catch (Throwable e) {
            throw new LinkageError("posix_spawn", e);
        } finally {
            arena.close();
        }
    }

    private MemorySegment strings(List<String> values) throws IOException {
        MemorySegment array = arena.allocate(ADDRESS, values.size() + 1L);
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).indexOf('\0') >= 0) {
                throw new IOException("an argument or variable contains a NUL character");
            }
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(values.get(i)));
        }
        return array;
    }

    private static MethodHandle pointer(String name) {
        return NativeFunction.link(name, INT, ADDRESS);
    }

    private static void check(int error) throws IOException {
        if (error != 0) {
            throw new IOException("preparing a process failed with error " + error);
        }
    }
}
