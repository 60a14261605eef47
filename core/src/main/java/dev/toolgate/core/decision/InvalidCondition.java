package dev.toolgate.core.decision;

/** A condition that cannot be used; the message is one sentence that says what is wrong and where. */
public final class InvalidCondition extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidCondition(String message) {
        super(message);
    }
}
