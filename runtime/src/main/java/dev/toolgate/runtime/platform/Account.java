package dev.toolgate.runtime.platform;

/** An account of the operating system: commands run as it, and files that tools create belong to it. */
public record Account(String name, int uid, int gid) {

    /** Whether this is the account that may do everything, which no command ever runs as. */
    public boolean isRoot() {
        return uid == 0;
    }
}
