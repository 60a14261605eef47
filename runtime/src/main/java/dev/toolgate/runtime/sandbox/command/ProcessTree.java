package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.runtime.platform.NativeFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The processes of one pid namespace, seen from outside: the descendants of its init process. Orphans become children
 * of init, and when init dies the kernel kills the others before init is reaped.
 */
public final class ProcessTree {
    private static final int STATE = 0;
    private static final int START_TIME = 19;
    private static final int WNOHANG = 1;
    private static final MethodHandle WAITPID = NativeFunction.link(
            "waitpid", NativeFunction.INT, NativeFunction.INT, ValueLayout.ADDRESS, NativeFunction.INT);

    private final long init;
    private final String initStarted;

    /** @param init the process id of the namespace's init process, as seen from outside */
    public ProcessTree(long init) throws IOException {
        this.init = init;
        this.initStarted = stat(init)[START_TIME];
    }

    /** The process id of its init process, as seen from outside. */
    public long first() {
        return init;
    }

    /** Whether any process of the tree is left. */
    public boolean alive() {
        try {
            String[] stat = stat(init);
            if (!stat[START_TIME].equals(initStarted)) {
                return false;
            }
            if (stat[STATE].equals("Z") || stat[STATE].equals("X")) {
                reap();
                return false;
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Waits until no process of the tree is left; false after a time-out. */
    public boolean awaitGone(Duration timeout) {
        return Await.until(() -> !alive(), timeout);
    }

    /** Kills every process of the tree. */
    public void kill() {
        if (alive()) {
            ProcessHandle.of(init).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Sends SIGTERM to every process of the tree except init. */
    public void terminate() {
        for (long member : members()) {
            ProcessHandle.of(member).ifPresent(ProcessHandle::destroy);
        }
    }

    /** Waits until only init is left; false after a time-out. */
    public boolean awaitMembersGone(Duration timeout) {
        // An orphan can be reparented to init between two scans and be missed by one of them.
        return Await.until(
                () -> !alive() || IntStream.range(0, 2).allMatch(_ -> members().isEmpty()), timeout);
    }

    /** The memory of all processes of the tree, without file-backed mappings. */
    public long residentBytes() {
        long sum = 0;
        for (long member : members()) {
            try {
                for (String line : Files.readAllLines(proc(member).resolve("status"))) {
                    if (line.startsWith("RssAnon:") || line.startsWith("RssShmem:") || line.startsWith("VmSwap:")) {
                        sum += 1024 * Long.parseLong(line.replaceAll("\\D", ""));
                    }
                }
            } catch (IOException gone) {
                // The process has ended and holds no memory.
            }
        }
        return sum;
    }

    /** Every process of the tree. */
    public List<Long> all() {
        List<Long> all = new ArrayList<>(List.of(init));
        all.addAll(members());
        return all;
    }

    /** The running descendants of init, without zombies. */
    public List<Long> members() {
        List<Long> found = new ArrayList<>();
        Deque<Long> open = new ArrayDeque<>(children(init));
        while (!open.isEmpty()) {
            long next = open.removeFirst();
            open.addAll(children(next));
            if (running(next)) {
                found.add(next);
            }
        }
        return found;
    }

    private static boolean running(long pid) {
        try {
            return !stat(pid)[STATE].equals("Z");
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<Long> children(long pid) {
        List<Long> children = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc(pid).resolve("task"))) {
            for (Path thread : threads) {
                for (String child :
                        Files.readString(thread.resolve("children")).trim().split(" ")) {
                    if (!child.isEmpty()) {
                        children.add(Long.parseLong(child));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // A process or thread that has just ended has no children.
        }
        return children;
    }

    /** The fields of a process's stat file after its name, which may contain any character. */
    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(proc(pid).resolve("stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static Path proc(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }

    /** Where this process is init of a container, it must reap orphans. */
    private void reap() {
        try (Arena arena = Arena.ofConfined()) {
            int ignored = (int) WAITPID.invokeExact(
                    NativeFunction.errnoSegment(arena), (int) init, arena.allocate(ValueLayout.JAVA_INT), WNOHANG);
        } catch (Throwable unexpected) {
            throw new IllegalStateException("waitpid could not be called", unexpected);
        }
    }
}
