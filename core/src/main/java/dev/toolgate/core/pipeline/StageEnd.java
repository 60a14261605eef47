package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;

/** How a call leaves the stages. */
public sealed interface StageEnd {

    /** It is over, and its outcome goes on record. */
    record Over(Outcome outcome) implements StageEnd {}

    /** It has no outcome, and nothing goes on record. */
    record Undecided(Failure failure, Answer.Undecided.State state) implements StageEnd {}

    /** It waits for a person, and its caller comes back for the outcome. */
    record Waiting(HeldQuestion question, String reason) implements StageEnd {}

    /** The gate refuses it. */
    static StageEnd refused(ErrorCode code, String message) {
        return new Over(new Outcome.Refused(Failure.of(code, message)));
    }

    /** It failed. */
    static StageEnd failed(ErrorCode code, String message) {
        return new Over(new Outcome.Failed(Failure.of(code, message)));
    }

    /** Something that is needed to decide cannot be reached, so nothing was done. */
    static StageEnd unavailable(String message) {
        return new Undecided(Failure.of(ErrorCode.SERVICE_UNAVAILABLE, message), Answer.Undecided.State.UNRECORDED);
    }
}
