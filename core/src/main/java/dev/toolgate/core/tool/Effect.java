package dev.toolgate.core.tool;

/**
 * The side effects of a call, which determine whether its intent is recorded before the tool starts. Every call that was
 * run is recorded before its answer is returned.
 */
public enum Effect {
    /**
     * None: it only reads local data, or data of an MCP server whose annotations an operator trusts and which states that
     * the tool only reads and that its world is closed. It leaves no trace if the gate is killed while it runs.
     */
    READS,
    /** It changes nothing but sends data out, which an external receiver sees. */
    SENDS,
    /** It can change something. */
    CHANGES;

    /** Whether the intent is recorded first, so that even after a crash no effect is unrecorded. */
    public boolean needsIntent() {
        return switch (this) {
            case READS -> false;
            case SENDS, CHANGES -> true;
        };
    }
}
