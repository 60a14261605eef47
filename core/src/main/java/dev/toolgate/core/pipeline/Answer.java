package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** The gate's answer to a call, which a door turns into a response. */
public sealed interface Answer {

    /** The call's request id. */
    RequestId requestId();

    /** Whether the call, or the attempt to make it, is durably on record. */
    boolean logged();

    /**
     * The answer as an outcome, for models and embedding programs: an undecided call has failed, and a held one is
     * refused until approved.
     */
    Outcome asOutcome();

    /** The call has ended and its outcome is on record. */
    record Ended(RequestId requestId, Outcome outcome) implements Answer {
        @Override
        public boolean logged() {
            return true;
        }

        @Override
        public Outcome asOutcome() {
            return outcome;
        }
    }

    /**
     * The call waits for approval; its caller collects the outcome later.
     *
     * @param question the id of the approval request
     * @param expiresAt when the approval request expires
     * @param reason why approval is needed
     */
    record Held(RequestId requestId, UUID question, Instant expiresAt, String reason) implements Answer {
        @Override
        public boolean logged() {
            return false;
        }

        @Override
        public Outcome asOutcome() {
            return new Outcome.Refused(Failure.of(ErrorCode.APPROVAL_REQUIRED, reason)
                    .withDetails(Map.of("approvalId", question.toString(), "expiresAt", expiresAt.toString())));
        }
    }

    /**
     * The caller may run the tool itself, once, with exactly these arguments; the permission to do so is on record, and
     * the call ends when the caller reports the outcome.
     *
     * @param expiresAt until when the outcome must be reported
     */
    record Permitted(RequestId requestId, Instant expiresAt, ObjectNode arguments) implements Answer {
        @Override
        public boolean logged() {
            return true;
        }

        @Override
        public Outcome asOutcome() {
            return new Outcome.Failed(Failure.of(
                    ErrorCode.INVALID_REQUEST,
                    "The call is permitted, and has no outcome until its caller reports it"));
        }
    }

    /**
     * The gate has neither allowed nor refused the call, or does not know its outcome yet.
     *
     * @param failure why, and if known when to retry
     */
    record Undecided(RequestId requestId, Failure failure, State state) implements Answer {
        /** What is known of the call. */
        public enum State {
            /** It is not running, and the attempt is not on record. */
            UNRECORDED,
            /** It is not running; the attempt is on record. */
            RECORDED,
            /** The call, or an equal earlier one, has not ended; its outcome can be collected by request id. */
            RUNNING
        }

        @Override
        public boolean logged() {
            return state == State.RECORDED;
        }

        @Override
        public Outcome asOutcome() {
            return new Outcome.Failed(failure);
        }
    }

    /** The answer to a recorded call. A temporary refusal leaves the call undecided. */
    static Answer recorded(RequestId requestId, Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && isTemporary(refused)
                ? new Undecided(requestId, refused.failure(), Undecided.State.RECORDED)
                : new Ended(requestId, outcome);
    }

    /** Whether it is a refusal with a time to retry. */
    static boolean isTemporary(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.failure().retryAfter() != null;
    }
}
