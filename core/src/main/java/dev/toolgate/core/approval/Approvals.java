package dev.toolgate.core.approval;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.decision.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Asks people whether a call may be made. */
@FunctionalInterface
public interface Approvals {
    /** Nobody is there to ask, so nothing that needs asking can go on. */
    Approvals NOBODY = (question, lifetime) -> new Reply.Settled(new Answer(Verdict.NOBODY_TO_ASK, null, null, null));

    /**
     * Puts a question, and takes the key of the call with it. Both are durable before this returns, and the same call
     * asked again joins the question.
     *
     * @param lifetime how long from now it may be answered; a question that is open for longer stays so
     * @throws RequestKeys.Taken if the key was taken meanwhile by a call that runs or has ended
     */
    Reply ask(Question question, Duration lifetime);

    /**
     * What people are asked: this call, with exactly these arguments.
     *
     * @param call kept whole, so that it can be made later by somebody else; never shown
     * @param key what tells this call from every other
     * @param tool the canonical name
     * @param arguments what is shown of the arguments, free of secrets and not too long
     * @param maskedCharacters how many characters of the arguments are masked in what is shown
     * @param preview what would happen, if the tool can say; free of secrets and not too long
     * @param causes every reason for which they are asked; a yes that stands covers these and no others
     */
    record Question(
            Call call,
            RequestKey key,
            String tool,
            ObjectNode arguments,
            long maskedCharacters,
            String reason,
            @Nullable String approvalRuleId,
            @Nullable String preview,
            List<Decision.Cause> causes,
            ApprovalTerms terms) {

        /** A question with one reason, which anybody may answer. */
        public Question(
                Call call,
                RequestKey key,
                String tool,
                ObjectNode arguments,
                String reason,
                @Nullable String approvalRuleId,
                @Nullable String preview) {
            this(
                    call,
                    key,
                    tool,
                    arguments,
                    0,
                    reason,
                    approvalRuleId,
                    preview,
                    List.of(new Decision.Cause(reason, approvalRuleId)),
                    ApprovalTerms.ONE_YES);
        }
    }

    /** What became of the question at once. */
    sealed interface Reply {
        /** There is nothing to wait for: a standing answer covers the call, or nobody can be asked. */
        record Settled(Answer answer) implements Reply {}

        /** The question is there for people to see. */
        record Asked(HeldQuestion question) implements Reply {}

        /** Its request id belongs to another call that is being held. */
        record OtherCall() implements Reply {}
    }

    /**
     * What came back.
     *
     * @param by who answered; {@code null} if nobody did
     * @param at when; {@code null} if nobody did
     */
    record Answer(
            Verdict verdict,
            @Nullable String by,
            @Nullable String reason,
            @Nullable Instant at) {}

    /** The ways a question can end. */
    enum Verdict {
        APPROVED,
        DENIED,
        TIMED_OUT,
        /** Whoever made the call does not want it any more. */
        WITHDRAWN,
        NOBODY_TO_ASK
    }
}
