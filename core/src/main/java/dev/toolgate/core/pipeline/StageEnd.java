package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** How a stage ends a call. */
public sealed interface StageEnd {

    /** The call is over; its outcome is recorded. */
    record Ended(Outcome outcome) implements StageEnd {}

    /** The call has no outcome; nothing is recorded. */
    record Undecided(Failure failure, Answer.Undecided.State state) implements StageEnd {}

    /** The call waits for approval; its caller collects the outcome later. */
    record Waiting(HeldQuestion question, String reason) implements StageEnd {}

    /** The caller runs the tool itself and must report the outcome by then. */
    record Permitted(Instant until, ObjectNode arguments) implements StageEnd {}

    /** The gate refuses it. */
    static StageEnd refused(ErrorCode code, String message) {
        return new Ended(new Outcome.Refused(Failure.of(code, message)));
    }

    /** It failed. */
    static StageEnd failed(ErrorCode code, String message) {
        return new Ended(new Outcome.Failed(Failure.of(code, message)));
    }

    /** A dependency needed to decide is unavailable; nothing was done. */
    static StageEnd unavailable(String message) {
        return new Undecided(Failure.of(ErrorCode.SERVICE_UNAVAILABLE, message), Answer.Undecided.State.UNRECORDED);
    }
}
