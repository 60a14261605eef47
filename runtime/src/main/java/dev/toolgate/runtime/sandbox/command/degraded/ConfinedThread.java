package dev.toolgate.runtime.sandbox.command.degraded;

import dev.toolgate.runtime.sandbox.command.seccomp.Architecture;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A thread that gives up its rights, starts one process, which inherits what is left, and ends. What
 * it gave up never comes back, so no other work may run on it, and it creates no other thread.
 */
final class ConfinedThread {
    private static final long CLOSE_RANGE = 436;
    private static final long OWN_TABLE = 1 << 1;
    private static final long CLOSE_ON_EXEC = 1 << 2;
    private static final long HIGHEST = 0xFFFF_FFFFL;
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

    /** Starts a process of our own that gets none of this JVM's open files; returns its id. */
    static int startTrusted(Spawn spawn) throws IOException {
        ConfinedThread self = new ConfinedThread(spawn);
        return self.start(self::spawnWithoutDescriptors);
    }

    /**
     * Starts a process that can do no more than the rules and the filter let it; returns its id.
     *
     * @param rulesDescriptor a Landlock rule set, or -1 where the kernel has none
     * @throws IOException if anything at all failed; nothing has been started then
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
                // Leaving now would leave a process behind that nobody knows of.
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
        if (worked("close_range", Libc.syscall(CLOSE_RANGE, 3, HIGHEST, OWN_TABLE | CLOSE_ON_EXEC, 0))) {
            spawn();
        }
    }

    private void confineAndSpawn(int rules, long seccomp, long program) {
        if (worked("close_range", Libc.syscall(CLOSE_RANGE, 3, HIGHEST, OWN_TABLE | CLOSE_ON_EXEC, 0))
                && worked("no_new_privs", Libc.prctl(NO_NEW_PRIVILEGES, 1))
                && (rules < 0 || worked("landlock", Libc.syscall(Landlock.RESTRICT_SELF, rules, 0, 0, 0)))
                && worked("seccomp", Libc.syscall(seccomp, SET_FILTER, 0, program, 0))) {
            spawn();
        }
    }

    private void spawn() {
        int result = spawn.run();
        worked("posix_spawn", new Libc.Result(result, -result));
        pid = result;
    }

    private boolean worked(String step, Libc.Result result) {
        if (result.failed()) {
            failedAt = step;
            errno = result.errno();
        }
        return !result.failed();
    }
}
