package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.EnumSet;
import java.util.Set;

/** The kinds of socket a command can be allowed to open; all others are always refused. */
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

    /** Where a network namespace already decides what is on the other end. */
    public static Set<SocketFamily> all() {
        return EnumSet.allOf(SocketFamily.class);
    }
}
