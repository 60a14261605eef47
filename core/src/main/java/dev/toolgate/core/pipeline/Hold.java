package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
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
 * Fourth stage: waits for approval where needed. The request is stored first, so it survives the waiting thread, and an
 * approval can be claimed only once, so it never lets two calls through.
 */
public final class Hold implements Stage {
    private static final Duration DEFAULT_EXPIRY = Duration.ofHours(1);
    // Requests expire by the store's clock; waiting a little longer lets its verdict arrive.
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Approvals approvals;
    private final Function<ToolSpec<?>, ApprovalTerms> terms;
    private final Duration timeout;
    private final Duration expireAfter;
    private final Duration shortWait;
    private final QuestionText texts;

    /** For callers that all wait. */
    public Hold(Approvals approvals, Duration timeout) {
        this(approvals, _ -> ApprovalTerms.ONE_YES, timeout, DEFAULT_EXPIRY, timeout, Redactor.standard());
    }

    /**
     * @param terms who must approve calls of a tool
     * @param timeout how long a caller waits, which is also the lifetime of its request
     * @param expireAfter the lifetime of a request whose caller collects the outcome later
     * @param shortWait how long a caller waits before it returns to collect the outcome later
     */
    public Hold(
            Approvals approvals,
            Function<ToolSpec<?>, ApprovalTerms> terms,
            Duration timeout,
            Duration expireAfter,
            Duration shortWait,
            Redactor redactor) {
        this.approvals = approvals;
        this.terms = terms;
        this.timeout = timeout;
        this.expireAfter = expireAfter;
        this.shortWait = shortWait;
        this.texts = new QuestionText(redactor);
    }

    @Override
    public Optional<StageEnd> apply(CallProgress progress) throws InterruptedException {
        Optional<StageEnd> wrongPlace = Run.wrongPlace(progress);
        if (wrongPlace.isPresent()) {
            return wrongPlace; // before approval is requested
        }
        Held.Asked question = progress.question();
        if (question != null && question.answer() != null) {
            return resume(progress, question, question.answer()); // a person has answered
        }
        Optional<Approvals.Approved> approved = waitingPermit(progress);
        if (approved.isPresent()) {
            Held.Asked own = progress.asked(approved.get().question(), CallDigest.key(progress.call()));
            own.answered(approved.get().answer());
            return settle(own, approved.get().answer(), "");
        }
        return switch (progress.decision()) {
            case Decision.Allow allowed -> progress.keyClaim().isOfEqualCall() ? stillHeld(progress) : Optional.empty();
            case Decision.NeedsApproval needed -> ask(progress, needed);
            case Decision.Deny denied -> throw new IllegalStateException("A denied call must not reach 'hold'.");
        };
    }

    // The gate does not resume an approved call that its caller runs: the permit begins when the caller collects it.
    private Optional<Approvals.Approved> waitingPermit(CallProgress progress) {
        return progress.call().permitFor() != null && progress.keyClaim().isOfEqualCall()
                ? approvals.approved(CallDigest.key(progress.call()))
                : Optional.empty();
    }

    private static Optional<StageEnd> resume(CallProgress progress, Held.Asked question, Approvals.Answer answer) {
        Optional<StageEnd> refused = settle(question, answer, "");
        // The approval is claimed all the same, so that no one else can claim it.
        return refused.isEmpty() && cannotCollectLater(progress)
                ? refuse(
                        ErrorCode.APPROVAL_DENIED,
                        "The caller disconnected before the call was approved, so it was withdrawn")
                : refused;
    }

    private Optional<StageEnd> ask(CallProgress progress, Decision.NeedsApproval needed) throws InterruptedException {
        Call call = progress.call();
        RequestKey key = CallDigest.key(call);
        Duration lifetime =
                switch (call.whenHeld()) {
                    case WAIT, WAIT_OR_WITHDRAW -> timeout;
                    case RETURN, WAIT_THEN_RETURN -> expireAfter;
                };
        Approvals.Question put = texts.question(
                progress, key, needed, terms.apply(progress.bound().tool().spec()));
        return switch (approvals.ask(put, lifetime)) {
            case Approvals.Reply.Settled settled when progress.keyClaim().isOfEqualCall() -> stillHeld(progress);
            case Approvals.Reply.Settled settled -> {
                progress.settled(settled.answer());
                yield refusal(settled.answer(), needed.reason());
            }
            case Approvals.Reply.OtherCall other ->
                undecided(
                        ErrorCode.REQUEST_ID_TAKEN,
                        "Request id '" + call.requestId()
                                + "' belongs to a different call, which waits for an approval",
                        Answer.Undecided.State.UNRECORDED);
            case Approvals.Reply.Asked asked -> {
                Held.Asked question = progress.asked(asked.question(), key);
                yield switch (call.whenHeld()) {
                    case WAIT, WAIT_OR_WITHDRAW -> {
                        notifyListener(call, asked.question(), put);
                        yield await(progress, question, needed);
                    }
                    case WAIT_THEN_RETURN -> {
                        notifyListener(call, asked.question(), put);
                        yield awaitShortly(progress, question, needed);
                    }
                    case RETURN -> Optional.of(new StageEnd.Waiting(asked.question(), needed.reason()));
                };
            }
        };
    }

    private static void notifyListener(Call call, HeldQuestion asked, Approvals.Question put) {
        call.listener().onHeld(new CallListener.Question(asked.id(), asked.expiresAt(), put.reason(), put.preview()));
    }

    // A caller that disconnects only stops waiting: the approval request stays open.
    private Optional<StageEnd> awaitShortly(CallProgress progress, Held.Asked question, Decision.NeedsApproval needed) {
        RunGuard guard = new RunGuard(progress.call().cancellation(), null);
        Optional<Approvals.Answer> answer;
        try (guard) {
            answer = question.question().await(shortWait);
        } catch (InterruptedException stopped) {
            if (guard.stopped() != RunGuard.Stop.CANCELLED) {
                Thread.currentThread().interrupt(); // the host wants its thread back
            }
            return Optional.of(new StageEnd.Waiting(question.question(), needed.reason()));
        } catch (Unavailable stoppedOrLost) {
            return interrupted(progress, question);
        }
        if (answer.isEmpty()) {
            return Optional.of(new StageEnd.Waiting(question.question(), needed.reason()));
        }
        question.answered(answer.get());
        return settle(question, answer.get(), needed.reason());
    }

    private Optional<StageEnd> await(CallProgress progress, Held.Asked question, Decision.NeedsApproval needed) {
        RunGuard guard = new RunGuard(progress.call().cancellation(), null);
        Optional<Approvals.Answer> answer;
        try (guard) {
            answer = question.question().await(timeout.plus(SLACK));
        } catch (InterruptedException stopped) {
            if (guard.stopped() != RunGuard.Stop.CANCELLED) {
                Optional<StageEnd> forNow = interrupted(progress, question);
                Thread.currentThread().interrupt(); // the host wants its thread back
                return forNow;
            }
            question.withdraw();
            return refuse(ErrorCode.APPROVAL_DENIED, "The call was cancelled while it waited for an approval");
        } catch (Unavailable stoppedOrLost) {
            return interrupted(progress, question);
        }
        if (answer.isEmpty()) {
            return cannotCollectLater(progress) ? interrupted(progress, question) : stillHeld(progress);
        }
        question.answered(answer.get());
        return settle(question, answer.get(), needed.reason());
    }

    private static Optional<StageEnd> stillHeld(CallProgress progress) {
        return undecided(
                ErrorCode.REQUEST_RUNNING,
                "The call '" + progress.call().requestId() + "' still waits for an approval",
                Answer.Undecided.State.RUNNING);
    }

    private static Optional<StageEnd> settle(Held.Asked question, Approvals.Answer answer, String reason) {
        if (answer.verdict() == Approvals.Verdict.APPROVED && !question.claim()) {
            throw new RequestKeys.Taken();
        }
        return refusal(answer, reason);
    }

    private static boolean cannotCollectLater(CallProgress progress) {
        return progress.call().whenHeld() == Call.WhenHeld.WAIT_OR_WITHDRAW;
    }

    // The request stays open unless its caller cannot collect the outcome later.
    private static Optional<StageEnd> interrupted(CallProgress progress, Held.Asked question) {
        if (cannotCollectLater(progress)) {
            question.withdrawForGood();
            return refuse(
                    ErrorCode.APPROVAL_DENIED,
                    "The wait for approval was interrupted, and the call was withdrawn because its caller cannot collect"
                            + " the outcome later");
        }
        return undecided(
                ErrorCode.SERVICE_UNAVAILABLE,
                "The wait for approval was interrupted; the request stays open, and the outcome can be collected under"
                        + " request id '" + progress.call().requestId() + "'",
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
                refuse(
                        ErrorCode.APPROVAL_TIMEOUT,
                        answer.by() == null
                                ? "Nobody approved or denied the call in time"
                                : "The call was approved, but its caller did not collect the permit in time");
            case WITHDRAWN ->
                refuse(ErrorCode.APPROVAL_DENIED, "The call was cancelled while it waited for an approval");
            case NO_APPROVER -> refuse(ErrorCode.APPROVAL_REQUIRED, reason + ", and there is no approver here");
        };
    }

    private static Optional<StageEnd> refuse(ErrorCode code, String message) {
        return Optional.of(StageEnd.refused(code, message));
    }

    private static Optional<StageEnd> undecided(ErrorCode code, String message, Answer.Undecided.State state) {
        return Optional.of(new StageEnd.Undecided(Failure.of(code, message), state));
    }
}
