package dev.toolgate.runtime.upstream;

/** Whether a server's claim that a tool only reads is trusted. */
public enum AnnotationTrust {
    /** No: every tool counts as dangerous. */
    NONE,
    /**
     * A tool with {@code readOnlyHint} is not dangerous; if its world is closed ({@code openWorldHint} is false), it
     * sends nothing out either. Such a call is recorded before its answer is returned, but has no intent on record, so
     * that it leaves no trace if the gate is killed while it runs.
     */
    READ_ONLY_HINT
}
