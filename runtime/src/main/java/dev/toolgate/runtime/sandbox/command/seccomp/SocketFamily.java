package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.EnumSet;
import java.util.Set;

/** Socket families that a command can be allowed to open; all others are refused. */
public enum SocketFamily {
    UNIX(1),
    INET(2),
    INET6(10),
    NETLINK(16);

    private final int number;

    SocketFamily(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** All families, for commands in a network namespace. */
    public static Set<SocketFamily> all() {
        return EnumSet.allOf(SocketFamily.class);
    }
}
