package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.List;

/**
 * The filter rule of one system call. Arguments are counted from 0 and compared by their low 32 bits, which are all the
 * kernel uses for these calls.
 */
sealed interface SyscallRule {

    /** Error number 0: the caller sees success although the call was not run. */
    int PRETEND_SUCCESS = 0;

    /** Always refused with this error. */
    record Refuse(int errno) implements SyscallRule {}

    /** Refused if the argument has any of these bits. */
    record RefuseBits(int argument, int bits) implements SyscallRule {}

    /** Refused if the argument is one of these. */
    record RefuseValues(int argument, List<Integer> values) implements SyscallRule {
        public RefuseValues {
            values = List.copyOf(values);
        }
    }

    /** Allowed only if the argument is one of these; otherwise refused with the error. */
    record AllowOnlyValues(int argument, List<Integer> values, int errno) implements SyscallRule {
        public AllowOnlyValues {
            values = List.copyOf(values);
        }
    }
}
