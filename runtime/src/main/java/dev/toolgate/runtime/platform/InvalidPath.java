package dev.toolgate.runtime.platform;

/** Thrown for a path that cannot name a file on this platform. */
public final class InvalidPath extends Exception {
    public InvalidPath(String reason) {
        super(reason, null, false, false);
    }

    /** What is wrong with the path. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
