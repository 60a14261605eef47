package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Fourth stage: if a person must say yes, wait until one has. The question is stored first, so it outlives whoever
 * waits; and a yes is taken by one call only, so it never lets two through.
 */
public final class Hold implements Stage {
    private static final Duration DEFAULT_EXPIRY = Duration.ofHours(1);
    // A question expires by the clock of whoever keeps it; waiting a little longer here hears of that.
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Approvals approvals;
    private final Function<ToolSpec<?>, ApprovalTerms> terms;
    private final Duration timeout;
    private final Duration expireAfter;
    private final QuestionText texts;

    /** For calls whose callers all wait. */
    public Hold(Approvals approvals, Duration timeout) {
        this(approvals, _ -> ApprovalTerms.ONE_YES, timeout, DEFAULT_EXPIRY, Redactor.standard());
    }

    /**
     * @param terms whose yes a call of a tool needs
     * @param timeout how long a caller waits, and its question with it
     * @param expireAfter how long the question of a caller stays open that comes back later
     */
    public Hold(
            Approvals approvals,
            Function<ToolSpec<?>, ApprovalTerms> terms,
            Duration timeout,
            Duration expireAfter,
            Redactor redactor) {
        this.approvals = approvals;
        this.terms = terms;
        this.timeout = timeout;
        this.expireAfter = expireAfter;
        this.texts = new QuestionText(redactor);
    }

    @Override
    public Optional<StageEnd> apply(Passage passage) throws InterruptedException {
        Held.Asked question = passage.question();
        if (question != null && question.answer() != null) {
            return resume(passage, question, question.answer()); // whatever is decided now: a person has been asked
        }
        return switch (passage.decision()) {
            case Decision.Allow allowed -> passage.keyClaim().isOfEqualCall() ? stillHeld(passage) : Optional.empty();
            case Decision.NeedsApproval needed -> ask(passage, needed);
            case Decision.Deny denied ->
                throw new IllegalStateException("A denied call must not get as far as 'hold'.");
        };
    }

    private static Optional<StageEnd> resume(Passage passage, Held.Asked question, Approvals.Answer answer) {
        Optional<StageEnd> refused = settle(question, answer, "");
        // A yes is taken all the same, so that nobody else takes it.
        return refused.isEmpty() && cannotComeBack(passage)
                ? refuse(
                        ErrorCode.APPROVAL_DENIED,
                        "Whoever made the call was gone before it was approved, so it was withdrawn")
                : refused;
    }

    private Optional<StageEnd> ask(Passage passage, Decision.NeedsApproval needed) throws InterruptedException {
        Call call = passage.call();
        RequestKey key = CallDigest.key(call);
        Duration lifetime = call.whenHeld() == Call.WhenHeld.RETURN ? expireAfter : timeout;
        Approvals.Question put = texts.question(
                passage, key, needed, terms.apply(passage.bound().tool().spec()));
        return switch (approvals.ask(put, lifetime)) {
            case Approvals.Reply.Settled settled when passage.keyClaim().isOfEqualCall() -> stillHeld(passage);
            case Approvals.Reply.Settled settled -> {
                passage.settled(settled.answer());
                yield refusal(settled.answer(), needed.reason());
            }
            case Approvals.Reply.OtherCall other ->
                undecided(
                        ErrorCode.REQUEST_ID_TAKEN,
                        "Request id '" + call.requestId()
                                + "' belongs to a different call, which waits for an approval",
                        Answer.Undecided.State.UNRECORDED);
            case Approvals.Reply.Asked asked -> {
                Held.Asked question = passage.asked(asked.question(), key);
                yield switch (call.whenHeld()) {
                    case WAIT, WAIT_OR_WITHDRAW -> {
                        call.listener()
                                .onHeld(new CallListener.Question(
                                        asked.question().id(),
                                        asked.question().expiresAt(),
                                        put.reason(),
                                        put.preview()));
                        yield await(passage, question, needed);
                    }
                    case RETURN -> Optional.of(new StageEnd.Waiting(asked.question(), needed.reason()));
                };
            }
        };
    }

    private Optional<StageEnd> await(Passage passage, Held.Asked question, Decision.NeedsApproval needed) {
        RunGuard guard = new RunGuard(passage.call().cancellation(), null);
        Optional<Approvals.Answer> answer;
        try (guard) {
            answer = question.question().await(timeout.plus(SLACK));
        } catch (InterruptedException stopped) {
            if (guard.stopped() != RunGuard.Stop.CANCELLED) {
                Optional<StageEnd> forNow = cutShort(passage, question);
                Thread.currentThread().interrupt(); // the host wants its thread
                return forNow;
            }
            question.withdraw();
            return refuse(ErrorCode.APPROVAL_DENIED, "The call was cancelled while it waited for an approval");
        } catch (Unavailable stoppedOrLost) {
            return cutShort(passage, question);
        }
        if (answer.isEmpty()) {
            return cannotComeBack(passage) ? cutShort(passage, question) : stillHeld(passage);
        }
        question.answered(answer.get());
        return settle(question, answer.get(), needed.reason());
    }

    private static Optional<StageEnd> stillHeld(Passage passage) {
        return undecided(
                ErrorCode.REQUEST_RUNNING,
                "The call '" + passage.call().requestId() + "' still waits for an approval",
                Answer.Undecided.State.RUNNING);
    }

    private static Optional<StageEnd> settle(Held.Asked question, Approvals.Answer answer, String reason) {
        if (answer.verdict() == Approvals.Verdict.APPROVED && !question.claim()) {
            throw new RequestKeys.Taken();
        }
        return refusal(answer, reason);
    }

    private static boolean cannotComeBack(Passage passage) {
        return passage.call().whenHeld() == Call.WhenHeld.WAIT_OR_WITHDRAW;
    }

    // The question stays open for others, unless nobody would ever ask for the outcome.
    private static Optional<StageEnd> cutShort(Passage passage, Held.Asked question) {
        if (cannotComeBack(passage)) {
            question.withdrawForGood();
            return refuse(
                    ErrorCode.APPROVAL_DENIED,
                    "The wait for an approval was cut short, and the call was withdrawn, because nobody can come back"
                            + " for its outcome");
        }
        return undecided(
                ErrorCode.SERVICE_UNAVAILABLE,
                "The wait for an approval was cut short; the question stays open, and the outcome can be had under"
                        + " request id '" + passage.call().requestId() + "'",
                Answer.Undecided.State.RUNNING);
    }

    private static Optional<StageEnd> refusal(Approvals.Answer answer, String reason) {
        return switch (answer.verdict()) {
            case APPROVED -> Optional.empty();
            case DENIED ->
                refuse(
                        ErrorCode.APPROVAL_DENIED,
                        "A person refused the call" + (answer.reason() == null ? "" : ": " + answer.reason()));
            case TIMED_OUT ->
                refuse(ErrorCode.APPROVAL_TIMEOUT, "Nobody answered in time whether the call may be made");
            case WITHDRAWN ->
                refuse(ErrorCode.APPROVAL_DENIED, "The call was cancelled while it waited for an approval");
            case NOBODY_TO_ASK -> refuse(ErrorCode.APPROVAL_REQUIRED, reason + ", and nobody can be asked here");
        };
    }

    private static Optional<StageEnd> refuse(ErrorCode code, String message) {
        return Optional.of(StageEnd.refused(code, message));
    }

    private static Optional<StageEnd> undecided(ErrorCode code, String message, Answer.Undecided.State state) {
        return Optional.of(new StageEnd.Undecided(Failure.of(code, message), state));
    }
}
