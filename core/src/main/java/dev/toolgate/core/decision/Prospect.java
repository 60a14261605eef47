package dev.toolgate.core.decision;

/** What calls of a tool could be told, whatever their arguments; from the best to the worst. */
public enum Prospect {
    /** Some may be allowed, and none is held. */
    ALLOWED,
    /** Some may be allowed, and a person may be asked. */
    MAYBE_HELD,
    /** None is allowed, so the tool is not shown. */
    DENIED;

    /** The worse of the two. */
    public Prospect and(Prospect other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
