package dev.toolgate.core.tool;

/** Whether the result of a tool may stay anywhere after its caller has seen it. */
public enum Confidentiality {
    /** It is kept for a while, for repeated calls, and may be in traces. */
    USUAL,
    /** It is kept nowhere. */
    CONFIDENTIAL
}
