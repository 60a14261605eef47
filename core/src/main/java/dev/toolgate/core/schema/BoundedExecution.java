package dev.toolgate.core.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaException;

/**
 * One validation with a maximum number of steps. A short schema can need exponentially many, in the depth of the value
 * or in the length of a text.
 */
final class BoundedExecution extends ExecutionContext {
    /** The validation that runs on this thread, for regular expressions. */
    static final ScopedValue<BoundedExecution> CURRENT = ScopedValue.newInstance();

    private static final int MAX_STEPS = 5_000_000;
    private static final int MAX_DEPTH = 4_000;
    private static final int MAX_ERRORS = 100_000;
    private static final int MAX_CHARACTERS = 20_000_000;

    private int steps;
    private int depth;
    private int errors;
    private int characters;

    BoundedExecution(ExecutionConfig config) {
        super(config);
    }

    /** The validation took too long. A {@link SchemaException}, so that the validator passes it on without logging. */
    static final class Exhausted extends SchemaException {
        private static final long serialVersionUID = 1L;

        Exhausted() {
            super("The limits of a validation are exhausted.");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    @Override
    public void evaluationPathAddLast(String token) {
        enter();
        super.evaluationPathAddLast(token);
    }

    @Override
    public void evaluationPathAddLast(int token) {
        enter();
        super.evaluationPathAddLast(token);
    }

    private void enter() {
        if (++steps > MAX_STEPS || ++depth > MAX_DEPTH) {
            throw new Exhausted();
        }
    }

    @Override
    public void evaluationPathRemoveLast() {
        depth--;
        super.evaluationPathRemoveLast();
    }

    @Override
    public void addError(Error error) {
        if (++errors > MAX_ERRORS) {
            throw new Exhausted();
        }
        super.addError(error);
    }

    /** Counts a character that a regular expression reads. */
    void character() {
        if (++characters > MAX_CHARACTERS) {
            throw new Exhausted();
        }
    }
}
