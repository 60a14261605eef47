package dev.toolgate.runtime.upstream;

/** Whether a server's claim that a tool only reads is trusted. */
public enum AnnotationTrust {
    /** No: every tool counts as dangerous. */
    NONE,
    /**
     * A tool with {@code readOnlyHint} is not dangerous; if its world is closed ({@code openWorldHint} is false), it
     * sends nothing out either, so that its calls have no intent on record.
     */
    READ_ONLY_HINT
}
