package dev.toolgate.runtime.upstream;

/** A tool that a server lists and that is not offered; the message says why, in one sentence. */
public final class UnusableTool extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableTool(String message) {
        super(message, null, false, false);
    }

    /** Why, in one sentence. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
