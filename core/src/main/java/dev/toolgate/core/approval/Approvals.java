package dev.toolgate.core.approval;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.decision.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Requests human approval for calls. */
@FunctionalInterface
public interface Approvals {
    /** No approvers: a call that needs approval is refused. */
    Approvals NONE = (question, lifetime) -> new Reply.Settled(new Answer(Verdict.NO_APPROVER, null, null, null));

    /**
     * Stores an approval request and takes the call's request key with it, both durable before this returns. An equal
     * call that asks again joins the existing request.
     *
     * @param lifetime how long from now it can be answered; joining never shortens an existing request's lifetime
     * @throws RequestKeys.Taken if a running or ended call has taken the key in the meantime
     */
    Reply ask(Question question, Duration lifetime);

    /**
     * The approved and not yet claimed request of an equal call. A caller that runs its tool itself sends the call
     * again to collect its permit, because no other client could use it.
     */
    default Optional<Approved> approved(RequestKey key) {
        return Optional.empty();
    }

    /** A request that was approved. */
    record Approved(HeldQuestion question, Answer answer) {}

    /**
     * The request for approval of one call with exactly these arguments.
     *
     * @param call stored complete so that another instance can run it later; never shown
     * @param key identifies the call
     * @param tool the canonical name
     * @param arguments as shown, masked and shortened
     * @param maskedCharacters how many characters of the shown arguments are masked
     * @param preview what the call would do, if the tool can say; masked and shortened
     * @param causes every reason approval is needed; a standing approval covers these and no others
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

        /** A request with one cause that any approver may answer. */
        public static Question forOneReason(
                Call call,
                RequestKey key,
                String tool,
                ObjectNode arguments,
                String reason,
                @Nullable String approvalRuleId,
                @Nullable String preview) {
            return new Question(
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

    /** The immediate result of asking. */
    sealed interface Reply {
        /** Nothing to wait for: a standing approval covers the call, or there are no approvers. */
        record Settled(Answer answer) implements Reply {}

        /** The request is stored and visible to approvers. */
        record Asked(HeldQuestion question) implements Reply {}

        /** The request id belongs to a different held call. */
        record OtherCall() implements Reply {}
    }

    /**
     * The answer to a request.
     *
     * @param by the approver; {@code null} if there was no answer
     * @param at when; {@code null} if there was no answer
     */
    record Answer(
            Verdict verdict,
            @Nullable String by,
            @Nullable String reason,
            @Nullable Instant at) {}

    /** How a request can end. */
    enum Verdict {
        APPROVED,
        DENIED,
        TIMED_OUT,
        /** The caller cancelled the call. */
        WITHDRAWN,
        NO_APPROVER
    }
}
