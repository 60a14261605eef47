package dev.toolgate.core.tool;

/** Whether the result of a tool may be stored. */
public enum Confidentiality {
    /** It is stored for a while for repeated calls and may be traced. */
    NORMAL,
    /** It is never stored. */
    CONFIDENTIAL
}
