package dev.toolgate.runtime.sandbox.command.seccomp;

import dev.toolgate.runtime.sandbox.command.seccomp.SyscallRule.AllowOnlyValues;
import dev.toolgate.runtime.sandbox.command.seccomp.SyscallRule.Refuse;
import dev.toolgate.runtime.sandbox.command.seccomp.SyscallRule.RefuseBits;
import dev.toolgate.runtime.sandbox.command.seccomp.SyscallRule.RefuseValues;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules for the listed system calls: refused, with a few exceptions. Other calls up to {@link Syscall#NEWEST} are
 * allowed; newer ones are refused.
 */
final class FilterRules {
    static final int EPERM = 1;
    static final int ENOSYS = 38;

    private static final int NEW_MOUNTS = 0x0002_0000;
    private static final int NEW_CGROUP = 0x0200_0000;
    private static final int NEW_UTS = 0x0400_0000;
    private static final int NEW_IPC = 0x0800_0000;
    private static final int NEW_USER = 0x1000_0000;
    private static final int NEW_PID = 0x2000_0000;
    private static final int NEW_NET = 0x4000_0000;
    private static final int NEW_NAMESPACES =
            NEW_MOUNTS | NEW_CGROUP | NEW_UTS | NEW_IPC | NEW_USER | NEW_PID | NEW_NET;

    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541C;

    private static final int PLAIN_LINUX = 0;
    private static final int ASK_ONLY = 0xFFFF_FFFF;

    private static final Set<Syscall> GROUPS = EnumSet.of(Syscall.SETPGID, Syscall.SETSID);

    private FilterRules() {}

    static Map<Syscall, SyscallRule> allowingSockets(Collection<SocketFamily> families) {
        List<Integer> numbers =
                families.stream().map(SocketFamily::number).sorted().toList();
        Map<Syscall, SyscallRule> rules = new EnumMap<>(Syscall.class);
        for (Syscall syscall : EnumSet.complementOf(EnumSet.copyOf(GROUPS))) {
            rules.put(syscall, new Refuse(EPERM));
        }
        // Its flags are behind a pointer, which a filter cannot read; on this error the C library falls back to clone,
        // whose flags are in a register.
        rules.put(Syscall.CLONE3, new Refuse(ENOSYS));
        rules.put(Syscall.CLONE, new RefuseBits(0, NEW_NAMESPACES));
        rules.put(Syscall.PERSONALITY, new AllowOnlyValues(0, List.of(PLAIN_LINUX, ASK_ONLY), EPERM));
        rules.put(Syscall.SOCKET, new AllowOnlyValues(0, numbers, EPERM));
        rules.put(Syscall.SOCKETPAIR, new AllowOnlyValues(0, List.of(SocketFamily.UNIX.number()), EPERM));
        rules.put(Syscall.IOCTL, new RefuseValues(1, List.of(TIOCSTI, TIOCLINUX)));
        return rules;
    }

    /**
     * The same, for processes that must not leave their process group. Leaving appears to succeed, because many
     * programs start a child in its own session and fail if they cannot.
     */
    static Map<Syscall, SyscallRule> keepingInGroup(int group, Collection<SocketFamily> families) {
        Map<Syscall, SyscallRule> rules = allowingSockets(families);
        rules.put(Syscall.SETPGID, new AllowOnlyValues(1, List.of(group), SyscallRule.PRETEND_SUCCESS));
        rules.put(Syscall.SETSID, new Refuse(SyscallRule.PRETEND_SUCCESS));
        return rules;
    }
}
