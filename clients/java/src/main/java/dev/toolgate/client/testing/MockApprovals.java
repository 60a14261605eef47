package dev.toolgate.client.testing;

/** What becomes of calls that need an approval. */
public enum MockApprovals {
    /** They are approved. */
    APPROVED,
    /** A person refuses them. */
    DENIED,
    /** Nobody answers until they expire. */
    TIMED_OUT,
    /** Nobody has answered yet. */
    UNANSWERED
}
