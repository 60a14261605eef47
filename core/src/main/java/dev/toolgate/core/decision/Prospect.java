package dev.toolgate.core.decision;

/** What may be decided about calls of a tool, whatever their arguments; from the most to the least permissive. */
public enum Prospect {
    /** Some may be allowed, and none is held. */
    ALLOWED,
    /** Some may be allowed, and some may need approval. */
    MAYBE_HELD,
    /** None is allowed, so the tool is not shown. */
    DENIED;

    /** The less permissive of the two. */
    public Prospect and(Prospect other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
