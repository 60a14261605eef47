package dev.toolgate.runtime.sandbox.command.degraded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A process group that a command joins and, by the filter, cannot leave. A keeper process leads it: as
 * long as that has not been waited for, the number of the group belongs to nobody else; and when this
 * JVM ends in whatever way, the keeper reads the end of its pipe and ends the whole group.
 */
final class ProcessGroup implements AutoCloseable {
    private static final String KEEPER = "exec >/dev/null 2>&1; trap '' TERM HUP INT; read -r _; kill -9 0";
    private static final Duration KILLED_PROCESSES_TAKE_AT_MOST = Duration.ofSeconds(30);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

    private final int leader;
    private final int pipe;
    private boolean ended;

    ProcessGroup() throws IOException {
        Pipe life = Libc.pipe();
        try (Spawn spawn =
                new Spawn(List.of("/bin/sh", "-c", KEEPER), Map.of(), Path.of("/"), 0, List.of(life.readEnd()))) {
            leader = ConfinedThread.startTrusted(spawn);
        } catch (IOException e) {
            Libc.close(life.writeEnd());
            throw e;
        } finally {
            Libc.close(life.readEnd());
        }
        pipe = life.writeEnd();
    }

    /** Its number. */
    int id() {
        return leader;
    }

    /** Asks every process of the group to end, and ends those that are left after a while. */
    synchronized void terminate(Duration grace) {
        if (ended) {
            return;
        }
        Libc.kill(-leader, Libc.SIGTERM);
        awaitEmpty(grace);
        close();
    }

    /** Ends every process of the group; when this returns none is alive. */
    @Override
    public synchronized void close() {
        if (ended) {
            return;
        }
        ended = true;
        Libc.kill(-leader, Libc.SIGKILL);
        awaitEmpty(KILLED_PROCESSES_TAKE_AT_MOST);
        Libc.close(pipe);
        try {
            Libc.waitFor(leader);
        } catch (IOException e) {
            throw new IllegalStateException("The keeper of a process group was waited for by somebody else", e);
        }
    }

    private void awaitEmpty(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (hasMembers() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    /** Whether any process but the keeper is alive; a dead one that nobody has waited for does not count. */
    private boolean hasMembers() {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (!process.endsWith(Integer.toString(leader)) && isMember(process)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private boolean isMember(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name in parentheses may contain anything, so count from its end: state, parent, group.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return fields[2].equals(Integer.toString(leader)) && !fields[0].equals("Z") && !fields[0].equals("X");
        } catch (IOException | IndexOutOfBoundsException gone) {
            return false;
        }
    }
}
