package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.List;

/**
 * What becomes of one system call. Arguments are counted from 0 and compared by their low 32 bits,
 * which is all the kernel itself looks at for the calls concerned.
 */
sealed interface SyscallRule {

    /** Never runs; the caller gets this error. */
    record Refuse(int errno) implements SyscallRule {}

    /** Does not run if the argument has any of these bits. */
    record RefuseBits(int argument, int bits) implements SyscallRule {}

    /** Does not run if the argument is one of these. */
    record RefuseValues(int argument, List<Integer> values) implements SyscallRule {
        public RefuseValues {
            values = List.copyOf(values);
        }
    }

    /** Runs only if the argument is one of these. */
    record AllowOnlyValues(int argument, List<Integer> values) implements SyscallRule {
        public AllowOnlyValues {
            values = List.copyOf(values);
        }
    }
}
