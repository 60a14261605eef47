package dev.toolgate.runtime.upstream;

/** Whether a server is believed that one of its tools changes nothing. */
public enum AnnotationTrust {
    /** No: every tool counts as dangerous. */
    NONE,
    /** A tool with {@code readOnlyHint} is not dangerous. */
    READ_ONLY_HINT
}
