package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.Await;
import dev.toolgate.runtime.sandbox.command.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cgroup (v1 or v2) for one command, in a folder delegated to this process. The kernel enforces the memory limit,
 * which includes the command's tmpfs folders.
 */
final class MemoryCgroup implements AutoCloseable {
    private static final AtomicLong NUMBER = new AtomicLong();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Path folder;

    private MemoryCgroup(Path folder) {
        this.folder = folder;
    }

    /** Moves all processes of a sandbox into a new cgroup. */
    static MemoryCgroup confine(Path delegated, ProcessTree tree, long limitBytes) throws ToolFailure {
        Path folder = delegated.resolve("toolgate-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
        try {
            Files.createDirectory(folder);
            MemoryCgroup group = new MemoryCgroup(folder);
            try {
                group.limit(limitBytes);
                for (long process : tree.all()) {
                    Files.writeString(folder.resolve("cgroup.procs"), Long.toString(process));
                }
                return group;
            } catch (IOException failed) {
                group.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw BindSource.refusal("A command's memory cannot be limited in the cgroup " + delegated + " ("
                    + failed.getMessage() + "); delegate a cgroup with the memory controller to this account, or"
                    + " remove the setting");
        }
    }

    private void limit(long bytes) throws IOException {
        Path second = folder.resolve("memory.max");
        if (Files.exists(second)) {
            Files.writeString(second, Long.toString(bytes));
            writeIfThere("memory.swap.max", "0");
            writeIfThere("memory.oom.group", "1");
        } else {
            Files.writeString(folder.resolve("memory.limit_in_bytes"), Long.toString(bytes));
            writeIfThere("memory.memsw.limit_in_bytes", Long.toString(bytes));
        }
    }

    private void writeIfThere(String name, String value) throws IOException {
        if (Files.exists(folder.resolve(name))) {
            Files.writeString(folder.resolve(name), value);
        }
    }

    /** Whether the kernel killed a process for exceeding the limit. */
    boolean exceeded() {
        for (String name : new String[] {"memory.events", "memory.oom_control"}) {
            try {
                return Files.readAllLines(folder.resolve(name)).stream()
                        .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
            } catch (IOException otherVersion) {
                // The other file belongs to this cgroup version.
            }
        }
        return false;
    }

    /** Removes the group; its processes have ended or are about to. */
    @Override
    public void close() {
        Await.until(
                () -> {
                    try {
                        Files.deleteIfExists(folder);
                        return true;
                    } catch (IOException busy) {
                        return false;
                    }
                },
                CLOSE_TIMEOUT);
    }
}
