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
 * A control group for one command, in a folder delegated to this process; either version. The kernel
 * then counts all the command's memory, its private folders included, and never lets it hold more.
 */
final class MemoryCgroup implements AutoCloseable {
    private static final AtomicLong NUMBER = new AtomicLong();
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path folder;

    private MemoryCgroup(Path folder) {
        this.folder = folder;
    }

    /** Puts everything in the sandbox into a group of its own. */
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
            throw BindSource.refusal("A command's memory cannot be limited in the control group " + delegated + " ("
                    + failed.getMessage() + "); delegate a group with the memory controller to this account,"
                    + " or leave the setting out");
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

    /** Whether the kernel had to end a process for want of memory. */
    boolean exceeded() {
        for (String name : new String[] {"memory.events", "memory.oom_control"}) {
            try {
                return Files.readAllLines(folder.resolve(name)).stream()
                        .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
            } catch (IOException otherVersion) {
                // The other file is the one this version has.
            }
        }
        return false;
    }

    /** Removes the group; its processes are gone by then, or about to be. */
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
                PATIENCE);
    }
}
