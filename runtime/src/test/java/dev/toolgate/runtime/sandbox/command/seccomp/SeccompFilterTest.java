package dev.toolgate.runtime.sandbox.command.seccomp;

import static dev.toolgate.runtime.sandbox.command.seccomp.Architecture.AARCH64;
import static dev.toolgate.runtime.sandbox.command.seccomp.Architecture.X86_64;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SeccompFilterTest {
    private static final int ALLOW = 0x7FFF_0000;
    private static final int EPERM = 0x0005_0001;
    private static final int ENOSYS = 0x0005_0026;
    private static final int PRETENDED = 0x0005_0000;
    private static final int KILL = 0x8000_0000;
    private static final long HIGH_HALF_SET = 0x1_0000_0000L;
    private static final List<Integer> ONLY_X86 = List.of(134, 136, 139, 154, 156, 172, 173, 174, 177, 178, 236);

    /** One row of the table; call numbers are literals, not taken from the code under test. */
    record Case(String name, int onX86, int onArm, int expected, long first, long second) {
        Case(String name, int onX86, int onArm, int expected) {
            this(name, onX86, onArm, expected, 0, 0);
        }

        Case(String name, int onX86, int onArm, int expected, long first) {
            this(name, onX86, onArm, expected, first, 0);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> decisions() {
        return List.of(
                new Case("read", 0, 63, ALLOW),
                new Case("write", 1, 64, ALLOW),
                new Case("openat", 257, 56, ALLOW),
                new Case("openat2", 437, 437, ALLOW),
                new Case("mmap", 9, 222, ALLOW),
                new Case("execve", 59, 221, ALLOW),
                new Case("futex", 202, 98, ALLOW),
                new Case("memfd_create", 319, 279, ALLOW),
                new Case("seccomp", 317, 277, ALLOW),
                new Case("lsm_set_self_attr", 460, 460, ALLOW),
                new Case("keyctl", 250, 219, EPERM),
                new Case("add_key", 248, 217, EPERM),
                new Case("request_key", 249, 218, EPERM),
                new Case("ptrace", 101, 117, EPERM),
                new Case("process_vm_readv", 310, 270, EPERM),
                new Case("process_vm_writev", 311, 271, EPERM),
                new Case("kcmp", 312, 272, EPERM),
                new Case("pidfd_getfd", 438, 438, EPERM),
                new Case("bpf", 321, 280, EPERM),
                new Case("perf_event_open", 298, 241, EPERM),
                new Case("userfaultfd", 323, 282, EPERM),
                new Case("io_uring_setup", 425, 425, EPERM),
                new Case("io_uring_enter", 426, 426, EPERM),
                new Case("io_uring_register", 427, 427, EPERM),
                new Case("lookup_dcookie", 212, 18, EPERM),
                new Case("fanotify_init", 300, 262, EPERM),
                new Case("mount", 165, 40, EPERM),
                new Case("umount2", 166, 39, EPERM),
                new Case("pivot_root", 155, 41, EPERM),
                new Case("open_tree", 428, 428, EPERM),
                new Case("move_mount", 429, 429, EPERM),
                new Case("fsopen", 430, 430, EPERM),
                new Case("fsconfig", 431, 431, EPERM),
                new Case("fsmount", 432, 432, EPERM),
                new Case("fspick", 433, 433, EPERM),
                new Case("mount_setattr", 442, 442, EPERM),
                new Case("open_tree_attr", 467, 467, EPERM),
                new Case("unshare", 272, 97, EPERM),
                new Case("setns", 308, 268, EPERM),
                new Case("clone3", 435, 435, ENOSYS),
                new Case("name_to_handle_at", 303, 264, EPERM),
                new Case("open_by_handle_at", 304, 265, EPERM),
                new Case("swapon", 167, 224, EPERM),
                new Case("swapoff", 168, 225, EPERM),
                new Case("reboot", 169, 142, EPERM),
                new Case("kexec_load", 246, 104, EPERM),
                new Case("kexec_file_load", 320, 294, EPERM),
                new Case("init_module", 175, 105, EPERM),
                new Case("finit_module", 313, 273, EPERM),
                new Case("delete_module", 176, 106, EPERM),
                new Case("acct", 163, 89, EPERM),
                new Case("quotactl", 179, 60, EPERM),
                new Case("quotactl_fd", 443, 443, EPERM),
                new Case("syslog", 103, 116, EPERM),
                new Case("settimeofday", 164, 170, EPERM),
                new Case("clock_settime", 227, 112, EPERM),
                new Case("adjtimex", 159, 171, EPERM),
                new Case("clock_adjtime", 305, 266, EPERM),
                new Case("vmsplice", 278, 75, EPERM),
                new Case("migrate_pages", 256, 238, EPERM),
                new Case("move_pages", 279, 239, EPERM),
                new Case("memfd_secret", 447, 447, EPERM),
                new Case("process_madvise", 440, 440, EPERM),
                new Case("process_mrelease", 448, 448, EPERM),
                new Case("fanotify_mark", 301, 263, EPERM),
                new Case("statmount", 457, 457, EPERM),
                new Case("listmount", 458, 458, EPERM),
                new Case("chroot", 161, 51, EPERM),
                new Case("sethostname", 170, 161, EPERM),
                new Case("setdomainname", 171, 162, EPERM),
                new Case("vhangup", 153, 58, EPERM),
                new Case("nfsservctl", 180, 42, EPERM),
                new Case("clone of a process", 56, 220, ALLOW, 0x0120_0011L),
                new Case("clone of a thread", 56, 220, ALLOW, 0x003D_0F00L),
                new Case("vfork by clone", 56, 220, ALLOW, 0x4111L),
                new Case("clone, new user namespace", 56, 220, EPERM, 0x1000_0011L),
                new Case("clone, new mount namespace", 56, 220, EPERM, 0x0002_0011L),
                new Case("clone, new cgroup namespace", 56, 220, EPERM, 0x0200_0011L),
                new Case("clone, new uts namespace", 56, 220, EPERM, 0x0400_0011L),
                new Case("clone, new ipc namespace", 56, 220, EPERM, 0x0800_0011L),
                new Case("clone, new pid namespace", 56, 220, EPERM, 0x2000_0011L),
                new Case("clone, new net namespace", 56, 220, EPERM, 0x4000_0011L),
                new Case("personality, plain", 135, 92, ALLOW, 0L),
                new Case("personality, asking", 135, 92, ALLOW, 0xFFFF_FFFFL),
                new Case("personality, no address randomisation", 135, 92, EPERM, 0x0004_0000L),
                new Case("personality, executable data", 135, 92, EPERM, 0x0040_0000L),
                new Case("socket AF_UNIX", 41, 198, ALLOW, 1L),
                new Case("socket AF_INET", 41, 198, ALLOW, 2L),
                new Case("socket AF_INET6", 41, 198, ALLOW, 10L),
                new Case("socket AF_NETLINK", 41, 198, ALLOW, 16L),
                new Case("socket AF_VSOCK", 41, 198, EPERM, 40L),
                new Case("socket AF_VSOCK with a set high half", 41, 198, EPERM, HIGH_HALF_SET | 40L),
                new Case("socket AF_PACKET", 41, 198, EPERM, 17L),
                new Case("socket AF_ALG", 41, 198, EPERM, 38L),
                new Case("socket AF_BLUETOOTH", 41, 198, EPERM, 31L),
                new Case("socketpair AF_UNIX", 53, 199, ALLOW, 1L),
                new Case("socketpair AF_TIPC", 53, 199, EPERM, 30L),
                new Case("ioctl TCGETS", 16, 29, ALLOW, 0L, 0x5401L),
                new Case("ioctl FIONREAD", 16, 29, ALLOW, 0L, 0x541BL),
                new Case("ioctl TIOCSTI", 16, 29, EPERM, 0L, 0x5412L),
                new Case("ioctl TIOCSTI with a set high half", 16, 29, EPERM, 0L, HIGH_HALF_SET | 0x5412L),
                new Case("ioctl TIOCLINUX", 16, 29, EPERM, 0L, 0x541CL));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void decides_the_same_on_both_architectures(Case call) {
        assertThat(filter(X86_64).run(X86_64.auditWord(), call.onX86, call.first, call.second))
                .as("x86_64")
                .isEqualTo(call.expected);
        assertThat(filter(AARCH64).run(AARCH64.auditWord(), call.onArm, call.first, call.second))
                .as("aarch64")
                .isEqualTo(call.expected);
    }

    @ParameterizedTest
    @EnumSource
    void kills_a_process_with_a_foreign_abi(Architecture architecture) {
        int i386 = 0x4000_0003;
        int arm32 = 0x4000_0028;
        Architecture other = architecture == X86_64 ? AARCH64 : X86_64;
        for (int foreign : List.of(i386, arm32, other.auditWord(), 0)) {
            assertThat(filter(architecture).run(foreign, 0)).isEqualTo(KILL);
        }
    }

    @ParameterizedTest
    @EnumSource
    void answers_newer_calls_with_enosys(Architecture architecture) {
        for (int number : List.of(470, 471, 500, 1000, 0x3FFF_FFFF)) {
            assertThat(filter(architecture).run(architecture.auditWord(), number))
                    .isEqualTo(ENOSYS);
        }
        assertThat(filter(architecture).run(architecture.auditWord(), 469)).isEqualTo(ALLOW);
    }

    @Test
    void refuses_every_x32_call() {
        int bit = 0x4000_0000;
        for (int number : List.of(0, 1, 41, 56, 250, 512, 547)) {
            assertThat(filter(X86_64).run(X86_64.auditWord(), bit | number, 1L)).isEqualTo(EPERM);
        }
    }

    @Test
    void refuses_calls_that_only_x86_has() {
        for (int number : ONLY_X86) {
            assertThat(filter(X86_64).run(X86_64.auditWord(), number)).isEqualTo(EPERM);
        }
        assertThat(filter(AARCH64).run(AARCH64.auditWord(), 172))
                .as("getpid on aarch64")
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void refuses_socket_families_that_are_not_allowed(Architecture architecture) {
        BpfInterpreter filter =
                new BpfInterpreter(SeccompFilter.forProcessGroup(architecture, 77, Set.of(SocketFamily.UNIX)));
        int socket = architecture == X86_64 ? 41 : 198;
        assertThat(filter.run(architecture.auditWord(), socket, 1L)).isEqualTo(ALLOW);
        for (long family : List.of(2L, 10L, 16L, 40L)) {
            assertThat(filter.run(architecture.auditWord(), socket, family)).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pretends_that_leaving_the_process_group_succeeds(Architecture architecture) {
        BpfInterpreter filter = new BpfInterpreter(SeccompFilter.forProcessGroup(architecture, 77, Set.of()));
        int word = architecture.auditWord();
        int setpgid = architecture == X86_64 ? 109 : 154;
        int setsid = architecture == X86_64 ? 112 : 157;
        assertThat(filter.run(word, setpgid, 0, 77)).as("joining it").isEqualTo(ALLOW);
        assertThat(filter.run(word, setpgid, 0, 0)).as("its own group").isEqualTo(PRETENDED);
        assertThat(filter.run(word, setpgid, 0, 78)).as("another group").isEqualTo(PRETENDED);
        assertThat(filter.run(word, setsid)).as("its own session").isEqualTo(PRETENDED);
        assertThat(filter(architecture).run(word, setsid)).as("elsewhere").isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void the_table_covers_every_call_the_filter_knows(Architecture architecture) {
        Stream<Integer> covered = Stream.concat(
                decisions().stream()
                        .filter(call -> call.expected != ALLOW)
                        .map(call -> architecture == X86_64 ? call.onX86 : call.onArm),
                architecture == X86_64 ? ONLY_X86.stream() : Stream.empty());
        Stream<Integer> known = FilterRules.allowingSockets(SocketFamily.all()).keySet().stream()
                .flatMap(syscall -> syscall.number(architecture).stream().boxed());
        assertThat(covered.distinct().toList())
                .containsExactlyInAnyOrderElementsOf(known.distinct().toList());
    }

    @Test
    void maps_java_architecture_names() {
        assertThat(Architecture.named("amd64")).contains(X86_64);
        assertThat(Architecture.named("aarch64")).contains(AARCH64);
        assertThat(Architecture.named("riscv64")).isEmpty();
    }

    private static BpfInterpreter filter(Architecture architecture) {
        return new BpfInterpreter(SeccompFilter.forArchitecture(architecture));
    }
}
