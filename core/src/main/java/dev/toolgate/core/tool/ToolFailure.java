package dev.toolgate.core.tool;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An expected failure of a tool. It is an outcome, not a bug, so it has no stack trace. */
public final class ToolFailure extends Exception {
    private final transient Failure failure;

    public ToolFailure(Failure failure, @Nullable Throwable cause) {
        super(failure.message(), cause, false, false);
        this.failure = failure;
    }

    public ToolFailure(ErrorCode code, String message) {
        this(Failure.of(code, message), null);
    }

    public ToolFailure(ErrorCode code, String message, Map<String, Object> details) {
        this(Failure.of(code, message).withDetails(details), null);
    }

    /** A failure with partial output. */
    public ToolFailure(ErrorCode code, String message, Output partial) {
        this(Failure.of(code, message).withPartial(partial), null);
    }

    /** The failure as a value. */
    public Failure failure() {
        return failure;
    }
}
