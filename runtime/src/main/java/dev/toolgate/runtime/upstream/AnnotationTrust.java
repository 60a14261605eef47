package dev.toolgate.runtime.upstream;

/** Whether a server's claim that a tool is read-only is trusted. */
public enum AnnotationTrust {
    /** No: every tool counts as dangerous. */
    NONE,
    /** A tool with {@code readOnlyHint} is not dangerous. */
    READ_ONLY_HINT
}
