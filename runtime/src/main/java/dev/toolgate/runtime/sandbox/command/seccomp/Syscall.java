package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.OptionalInt;

/** The system calls with a filter rule, and their number on each architecture. */
enum Syscall {
    // Session keyrings, which are not isolated by namespaces.
    ADD_KEY(248, 217),
    REQUEST_KEY(249, 218),
    KEYCTL(250, 219),

    // Other processes.
    PTRACE(101, 117),
    PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271),
    KCMP(312, 272),
    PIDFD_GETFD(438, 438),

    // Large and often attacked parts of the kernel.
    BPF(321, 280),
    PERF_EVENT_OPEN(298, 241),
    USERFAULTFD(323, 282),
    IO_URING_SETUP(425, 425),
    IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427),
    LOOKUP_DCOOKIE(212, 18),
    FANOTIFY_INIT(300, 262),

    // Mounts.
    MOUNT(165, 40),
    UMOUNT2(166, 39),
    PIVOT_ROOT(155, 41),
    OPEN_TREE(428, 428),
    MOVE_MOUNT(429, 429),
    FSOPEN(430, 430),
    FSCONFIG(431, 431),
    FSMOUNT(432, 432),
    FSPICK(433, 433),
    MOUNT_SETATTR(442, 442),
    OPEN_TREE_ATTR(467, 467),

    // Namespaces.
    UNSHARE(272, 97),
    SETNS(308, 268),
    CLONE(56, 220),
    CLONE3(435, 435),

    // Files by handle, which bypasses folder permissions.
    NAME_TO_HANDLE_AT(303, 264),
    OPEN_BY_HANDLE_AT(304, 265),

    // The machine itself.
    SWAPON(167, 224),
    SWAPOFF(168, 225),
    REBOOT(169, 142),
    KEXEC_LOAD(246, 104),
    KEXEC_FILE_LOAD(320, 294),
    INIT_MODULE(175, 105),
    FINIT_MODULE(313, 273),
    DELETE_MODULE(176, 106),
    ACCT(163, 89),
    QUOTACTL(179, 60),
    QUOTACTL_FD(443, 443),
    SYSLOG(103, 116),
    SETTIMEOFDAY(164, 170),
    CLOCK_SETTIME(227, 112),
    ADJTIMEX(159, 171),
    CLOCK_ADJTIME(305, 266),
    IOPL(172),
    IOPERM(173),

    // Rare or obsolete; commands do not need them.
    VMSPLICE(278, 75),
    MIGRATE_PAGES(256, 238),
    MOVE_PAGES(279, 239),
    MEMFD_SECRET(447, 447),
    PROCESS_MADVISE(440, 440),
    PROCESS_MRELEASE(448, 448),
    FANOTIFY_MARK(301, 263),
    STATMOUNT(457, 457),
    LISTMOUNT(458, 458),
    CHROOT(161, 51),
    SETHOSTNAME(170, 161),
    SETDOMAINNAME(171, 162),
    VHANGUP(153, 58),
    NFSSERVCTL(180, 42),
    USELIB(134),
    USTAT(136),
    SYSFS(139),
    MODIFY_LDT(154),
    SYSCTL(156),
    CREATE_MODULE(174),
    GET_KERNEL_SYMS(177),
    QUERY_MODULE(178),
    VSERVER(236),

    // Allowed, depending on an argument.
    PERSONALITY(135, 92),
    SOCKET(41, 198),
    SOCKETPAIR(53, 199),
    IOCTL(16, 29),

    // Process groups, where a process tree is tracked by its group only.
    SETPGID(109, 154),
    SETSID(112, 157);

    /** The newest call this list covers; calls added by later kernels have not been reviewed. */
    static final int NEWEST = 469;

    private static final int NONE = -1;

    private final int onX86;
    private final int onArm;

    Syscall(int onX86, int onArm) {
        this.onX86 = onX86;
        this.onArm = onArm;
    }

    Syscall(int onX86Only) {
        this(onX86Only, NONE);
    }

    /** Its number; empty if the architecture does not have the call. */
    OptionalInt number(Architecture architecture) {
        int number =
                switch (architecture) {
                    case X86_64 -> onX86;
                    case AARCH64 -> onArm;
                };
        return number == NONE ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
