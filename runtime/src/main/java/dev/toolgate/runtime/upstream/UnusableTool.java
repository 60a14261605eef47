package dev.toolgate.runtime.upstream;

/** Thrown for a tool that a server lists but that cannot be offered; the message gives the reason in one sentence. */
public final class UnusableTool extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableTool(String message) {
        super(message, null, false, false);
    }

    /** The reason, in one sentence. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
