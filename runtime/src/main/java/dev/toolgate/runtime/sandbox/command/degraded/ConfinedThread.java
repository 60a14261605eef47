package dev.toolgate.runtime.sandbox.command.degraded;

import dev.toolgate.runtime.sandbox.command.seccomp.Architecture;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A thread that drops its rights, starts one process, which inherits the restrictions, and ends. The restrictions are
 * permanent, so no other work may run on it, and it must not create threads.
 */
final class ConfinedThread {
    private static final long CLOSE_RANGE = 436;
    private static final long UNSHARE_TABLE = 1 << 1;
    private static final long CLOSE_ON_EXEC = 1 << 2;
    private static final long MAX_DESCRIPTOR = 0xFFFF_FFFFL;
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final long SET_FILTER = 1;
    private static final int INSTRUCTION_BYTES = 8;

    private final Spawn spawn;
    private String failedAt = "";
    private int errno;
    private int pid;

    private ConfinedThread(Spawn spawn) {
        this.spawn = spawn;
    }

    /** Starts a trusted process that inherits no open files of this JVM; returns its id. */
    static int startTrusted(Spawn spawn) throws IOException {
        ConfinedThread self = new ConfinedThread(spawn);
        return self.start(self::spawnWithoutDescriptors);
    }

    /**
     * Starts a process restricted by the rules and the filter; returns its id.
     *
     * @param rulesDescriptor a Landlock rule set, or -1 if the kernel has no Landlock
     * @throws IOException if any step failed; nothing was started then
     */
    static int startConfined(Spawn spawn, int rulesDescriptor, byte[] filter) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment instructions = arena.allocateFrom(ValueLayout.JAVA_BYTE, filter);
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) (filter.length / INSTRUCTION_BYTES));
            program.set(ValueLayout.ADDRESS, 8, instructions);
            long seccomp =
                    switch (Architecture.current()) {
                        case X86_64 -> 317;
                        case AARCH64 -> 277;
                    };
            ConfinedThread self = new ConfinedThread(spawn);
            return self.start(() -> self.confineAndSpawn(rulesDescriptor, seccomp, program.address()));
        }
    }

    private int start(Runnable work) throws IOException {
        Thread thread = Thread.ofPlatform().name("toolgate-spawn").daemon().start(work);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                // Returning now would leave an unknown process behind.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (pid <= 0) {
            throw new IOException(
                    (failedAt.isEmpty() ? "the starting thread" : failedAt) + " failed with error " + errno);
        }
        return pid;
    }

    private void spawnWithoutDescriptors() {
        if (succeeded("close_range", Libc.syscall(CLOSE_RANGE, 3, MAX_DESCRIPTOR, UNSHARE_TABLE | CLOSE_ON_EXEC, 0))) {
            spawn();
        }
    }

    private void confineAndSpawn(int rules, long seccomp, long program) {
        if (succeeded("close_range", Libc.syscall(CLOSE_RANGE, 3, MAX_DESCRIPTOR, UNSHARE_TABLE | CLOSE_ON_EXEC, 0))
                && succeeded("no_new_privs", Libc.prctl(NO_NEW_PRIVILEGES, 1))
                && (rules < 0 || succeeded("landlock", Libc.syscall(Landlock.RESTRICT_SELF, rules, 0, 0, 0)))
                && succeeded("seccomp", Libc.syscall(seccomp, SET_FILTER, 0, program, 0))) {
            spawn();
        }
    }

    private void spawn() {
        int result = spawn.run();
        succeeded("posix_spawn", new Libc.Result(result, -result));
        pid = result;
    }

    private boolean succeeded(String step, Libc.Result result) {
        if (result.failed()) {
            failedAt = step;
            errno = result.errno();
        }
        return !result.failed();
    }
}
