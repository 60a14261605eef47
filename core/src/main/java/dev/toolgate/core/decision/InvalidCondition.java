package dev.toolgate.core.decision;

/** A condition is not valid; the message is one sentence that says what is wrong and where. */
public final class InvalidCondition extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    public InvalidCondition(String message) {
        this(message, 1, 1);
    }

    /**
     * @param line where the mistake is, from 1
     * @param column where in the line, from 1
     */
    public InvalidCondition(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /** The line of the mistake, from 1; 1 if unknown. */
    public int line() {
        return line;
    }

    /** The column of the mistake, from 1; 1 if unknown. */
    public int column() {
        return column;
    }
}
