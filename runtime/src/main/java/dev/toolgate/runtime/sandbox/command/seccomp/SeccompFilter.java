package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.Collection;
import java.util.Map;

/**
 * Builds the seccomp filter. It refuses system calls that commands do not need and that bypass namespaces or expose
 * rarely used parts of the kernel. The bytes are in the format of {@code bwrap --seccomp} and {@code seccomp(2)}.
 */
public final class SeccompFilter {
    /** Calls of the x32 ABI have this bit set and the architecture value of x86_64. */
    private static final int X32_BIT = 0x4000_0000;

    private SeccompFilter() {}

    /**
     * The filter for this machine, for commands whose network is confined by other means.
     *
     * @throws UnsupportedOperationException if the architecture is not known
     */
    public static byte[] forCurrentMachine() {
        return forArchitecture(Architecture.current());
    }

    /** The filter for an architecture, for commands whose network is confined by other means. */
    public static byte[] forArchitecture(Architecture architecture) {
        return assemble(architecture, FilterRules.allowingSockets(SocketFamily.all()));
    }

    /** The filter for commands that may open only these sockets and may never leave this process group. */
    public static byte[] forProcessGroup(Architecture architecture, int group, Collection<SocketFamily> sockets) {
        return assemble(architecture, FilterRules.keepingInGroup(group, sockets));
    }

    private static byte[] assemble(Architecture architecture, Map<Syscall, SyscallRule> rules) {
        BpfProgram program = new BpfProgram()
                .loadArchitecture()
                .skipIfEqual(architecture.auditWord(), 1)
                .kill()
                .loadNumber();
        if (architecture == Architecture.X86_64) {
            program.skipUnlessAtLeast(X32_BIT, 1).refuse(FilterRules.EPERM);
        }
        // ENOSYS makes programs fall back to older calls, as on an older kernel.
        program.skipUnlessAtLeast(Syscall.NEWEST + 1, 1).refuse(FilterRules.ENOSYS);
        for (Map.Entry<Syscall, SyscallRule> entry : rules.entrySet()) {
            entry.getKey().number(architecture).ifPresent(number -> {
                BpfProgram check = check(entry.getValue());
                program.skipUnlessEqual(number, check.length()).append(check);
            });
        }
        return program.allow().toBytes();
    }

    /** The instructions after the call number has matched; every path returns. */
    private static BpfProgram check(SyscallRule rule) {
        BpfProgram check = new BpfProgram();
        switch (rule) {
            case SyscallRule.Refuse refuse -> check.refuse(refuse.errno());
            case SyscallRule.RefuseBits refuse ->
                check.loadArgument(refuse.argument())
                        .skipUnlessAnyBit(refuse.bits(), 1)
                        .refuse(FilterRules.EPERM)
                        .allow();
            case SyscallRule.RefuseValues refuse -> {
                check.loadArgument(refuse.argument());
                refuse.values().forEach(value -> check.skipUnlessEqual(value, 1).refuse(FilterRules.EPERM));
                check.allow();
            }
            case SyscallRule.AllowOnlyValues allow -> {
                check.loadArgument(allow.argument());
                allow.values().forEach(value -> check.skipUnlessEqual(value, 1).allow());
                check.refuse(allow.errno());
            }
        }
        return check;
    }
}
