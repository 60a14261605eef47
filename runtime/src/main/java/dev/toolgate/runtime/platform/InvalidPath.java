package dev.toolgate.runtime.platform;

/** A path that cannot name a file here, with the reason in plain words. */
public final class InvalidPath extends Exception {
    public InvalidPath(String reason) {
        super(reason, null, false, false);
    }

    /** What is wrong with the path. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
