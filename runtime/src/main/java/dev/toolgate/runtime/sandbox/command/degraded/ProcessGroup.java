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
 * A process group that a command joins and, because of the filter, cannot leave. A keeper process leads it: until the
 * keeper is reaped, the group id cannot be reused; and if this JVM ends for any reason, the keeper's pipe closes and it
 * kills the whole group.
 */
final class ProcessGroup implements AutoCloseable {
    private static final String KEEPER = "exec >/dev/null 2>&1; trap '' TERM HUP INT; read -r _; kill -9 0";
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    private final int leader;
    private final int pipe;
    private boolean ended;

    ProcessGroup() throws IOException {
        Pipe lifeline = Libc.pipe();
        try (Spawn spawn =
                new Spawn(List.of("/bin/sh", "-c", KEEPER), Map.of(), Path.of("/"), 0, List.of(lifeline.readEnd()))) {
            leader = ConfinedThread.startTrusted(spawn);
        } catch (IOException e) {
            Libc.close(lifeline.writeEnd());
            throw e;
        } finally {
            Libc.close(lifeline.readEnd());
        }
        pipe = lifeline.writeEnd();
    }

    /** The group id. */
    int id() {
        return leader;
    }

    /** Sends SIGTERM to every process of the group and kills those left after the grace period. */
    synchronized void terminate(Duration grace) {
        if (ended) {
            return;
        }
        Libc.kill(-leader, Libc.SIGTERM);
        awaitEmpty(grace);
        close();
    }

    /** Kills every process of the group; when this returns none is alive. */
    @Override
    public synchronized void close() {
        if (ended) {
            return;
        }
        ended = true;
        Libc.kill(-leader, Libc.SIGKILL);
        awaitEmpty(KILL_TIMEOUT);
        Libc.close(pipe);
        try {
            Libc.waitFor(leader);
        } catch (IOException e) {
            throw new IllegalStateException("The exit status of the keeper process was collected by another waiter", e);
        }
    }

    private void awaitEmpty(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (hasMembers() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    /** Whether any process except the keeper is alive, not counting zombies. */
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
