package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** What the gate answers to a call, and what a door turns into a response. */
public sealed interface Answer {

    /** Under which the call is known. */
    RequestId requestId();

    /** Whether the call, or the attempt to make it, is durably on record. */
    boolean logged();

    /**
     * The answer for those who know only outcomes, such as models and programs that embed the runtime: a call that was not
     * decided has failed, and one that waits for a person is refused until then.
     */
    Outcome asOutcome();

    /** The call is over, and its outcome is on record. */
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
     * The call waits for a person, and its caller comes back for the outcome.
     *
     * @param question under which people find what they are asked
     * @param expiresAt until when they can answer
     * @param reason why they are asked
     */
    record Held(RequestId requestId, UUID question, Instant expiresAt, String reason) implements Answer {
        @Override
        public boolean logged() {
            return false;
        }

        @Override
        public Outcome asOutcome() {
            return new Outcome.Refused(Failure.of(ErrorCode.APPROVAL_REQUIRED, reason)
                    .detailing(Map.of("approvalId", question.toString(), "expiresAt", expiresAt.toString())));
        }
    }

    /**
     * The gate has neither let the call through nor refused it, or cannot say yet what became of it.
     *
     * @param failure why, and where that is known when to ask again
     */
    record Undecided(RequestId requestId, Failure failure, State state) implements Answer {
        /** What there is of the call. */
        public enum State {
            /** Nothing: it is not on its way, and the attempt is not on record. */
            UNRECORDED,
            /** It is not on its way; the attempt is on record. */
            RECORDED,
            /** The call, or an equal one that came first, has not ended; its outcome will be found by its request id. */
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

    /**
     * The answer to a call whose outcome is on record. A refusal that says when to come back is about the moment and not
     * about the call, so it leaves the call undecided.
     */
    static Answer recorded(RequestId requestId, Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.failure().retryAfter() != null
                ? new Undecided(requestId, refused.failure(), Undecided.State.RECORDED)
                : new Ended(requestId, outcome);
    }
}
