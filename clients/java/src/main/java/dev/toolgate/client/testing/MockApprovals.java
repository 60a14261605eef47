package dev.toolgate.client.testing;

/** The outcome of approval requests. */
public enum MockApprovals {
    /** They are approved. */
    APPROVED,
    /** A person refuses them. */
    DENIED,
    /** They expire without an answer. */
    TIMED_OUT,
    /** They stay unanswered. */
    UNANSWERED
}
