package dev.toolgate.runtime.platform;

/** An operating-system account that runs commands and owns the files tools create. */
public record Account(String name, int uid, int gid) {

    /** Whether this is root, which commands never run as. */
    public boolean isRoot() {
        return uid == 0;
    }
}
