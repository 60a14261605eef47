package dev.toolgate.runtime.sandbox.command;

import java.time.Duration;

/**
 * Resource limits of one command.
 *
 * @param processes maximum number of processes and threads
 * @param dataBytes data segment of one process
 * @param memoryBytes memory of all its processes together
 * @param fileBytes size of one file it writes
 * @param openFiles open files of one process
 * @param cpu processor time of one process
 * @param scratchBytes the size of each of its private folders: {@code /tmp} and the home folder
 */
public record CommandLimits(
        int processes,
        long dataBytes,
        long memoryBytes,
        long fileBytes,
        int openFiles,
        Duration cpu,
        long scratchBytes) {
    private static final long MIB = 1L << 20;

    public CommandLimits {
        if (processes < 1 || openFiles < 16 || cpu.toSeconds() < 1) {
            throw new IllegalArgumentException(
                    "The command limits are too low; allow at least 1 process, 16 open files and 1 s");
        }
        if (dataBytes < MIB || memoryBytes < MIB || fileBytes < 1 || scratchBytes < 4096) {
            throw new IllegalArgumentException(
                    "The command limits are too low; allow at least 1 MiB of memory and 4 KiB of scratch space");
        }
    }

    /** Enough for a build or a test run. */
    public static CommandLimits standard() {
        return new CommandLimits(512, 2048 * MIB, 2048 * MIB, 4096 * MIB, 4096, Duration.ofHours(1), 512 * MIB);
    }
}
