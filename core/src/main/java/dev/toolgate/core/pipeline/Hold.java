package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fourth stage: if a person must say yes, wait until one has. The question is stored first, so it outlives whoever
 * waits; and a yes is taken by one call only, so it never lets two through.
 */
public final class Hold implements Stage {
    private static final Duration USUAL_EXPIRY = Duration.ofHours(1);
    // A question ends by the clock of whoever keeps it; a little longer here, so that its end is heard of.
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Approvals approvals;
    private final Function<ToolSpec<?>, ApprovalTerms> terms;
    private final Duration patience;
    private final Duration expireAfter;
    private final QuestionText texts;

    /** For calls whose callers all wait. */
    public Hold(Approvals approvals, Duration patience) {
        this(approvals, _ -> ApprovalTerms.ONE_YES, patience, USUAL_EXPIRY, Redactor.standard());
    }

    /**
     * @param terms whose yes a call of a tool needs
     * @param patience how long a caller waits, and its question with it
     * @param expireAfter how long the question of a caller stays open that comes back later
     */
    public Hold(
            Approvals approvals,
            Function<ToolSpec<?>, ApprovalTerms> terms,
            Duration patience,
            Duration expireAfter,
            Redactor redactor) {
        this.approvals = approvals;
        this.terms = terms;
        this.patience = patience;
        this.expireAfter = expireAfter;
        this.texts = new QuestionText(redactor);
    }

    @Override
    public Optional<Outcome> apply(Passage passage) throws InterruptedException {
        HeldQuestion answered = passage.question();
        Approvals.Answer answer = passage.approval();
        if (answered != null && answer != null) {
            return goOn(passage, answered, answer); // whatever is decided now: a person has been asked
        }
        return switch (passage.decision()) {
            case Decision.Allow allowed -> passage.isEqualToHeldCall() ? stillHeld(passage) : Optional.empty();
            case Decision.NeedsApproval needed -> ask(passage, needed);
            case Decision.Deny denied ->
                throw new IllegalStateException("A denied call must not get as far as 'hold'.");
        };
    }

    private Optional<Outcome> goOn(Passage passage, HeldQuestion answered, Approvals.Answer answer) {
        Optional<Outcome> refused = settle(passage, answered, answer, "");
        // A yes is taken all the same, so that nobody else takes it.
        return refused.isEmpty() && cannotComeBack(passage)
                ? refuse(
                        ErrorCode.APPROVAL_DENIED,
                        "Whoever made the call was gone before it was approved, so it was withdrawn")
                : refused;
    }

    private Optional<Outcome> ask(Passage passage, Decision.NeedsApproval needed) throws InterruptedException {
        Call call = passage.call();
        RequestKey key = CallDigest.key(call);
        Duration lifetime = call.whenHeld() == Call.WhenHeld.RETURN ? expireAfter : patience;
        Approvals.Question put = texts.question(
                passage, key, needed, terms.apply(passage.bound().tool().spec()));
        return switch (approvals.ask(put, lifetime)) {
            case Approvals.Reply.Settled settled when passage.isEqualToHeldCall() -> stillHeld(passage);
            case Approvals.Reply.Settled settled -> {
                passage.held(settled.answer());
                yield refusal(settled.answer(), needed.reason());
            }
            case Approvals.Reply.OtherCall other ->
                leave(
                        passage,
                        null,
                        ErrorCode.REQUEST_ID_TAKEN,
                        "Request id '" + call.requestId()
                                + "' belongs to a different call, which waits for an approval");
            case Approvals.Reply.Asked asked -> {
                passage.asked(asked.question(), key);
                yield switch (call.whenHeld()) {
                    case WAIT, WAIT_OR_WITHDRAW -> {
                        HeldQuestion question = asked.question();
                        call.listener()
                                .onHeld(new CallListener.Question(
                                        question.id(), question.expiresAt(), put.reason(), put.preview()));
                        yield await(passage, question, needed);
                    }
                    case RETURN -> {
                        HeldQuestion question = asked.question();
                        yield leave(
                                passage,
                                new Answer.Held(question.id(), question.expiresAt()),
                                ErrorCode.APPROVAL_REQUIRED,
                                needed.reason());
                    }
                };
            }
        };
    }

    private Optional<Outcome> await(Passage passage, HeldQuestion question, Decision.NeedsApproval needed) {
        RunGuard guard = new RunGuard(passage.call().cancellation(), null);
        Optional<Approvals.Answer> answer;
        try (guard) {
            answer = question.await(patience.plus(SLACK));
        } catch (InterruptedException stopped) {
            if (guard.stopped() != RunGuard.Stop.CANCELLED) {
                Optional<Outcome> forNow = cutShort(passage, question);
                Thread.currentThread().interrupt(); // the host wants its thread
                return forNow;
            }
            question.withdraw();
            return refuse(ErrorCode.APPROVAL_DENIED, "The call was cancelled while it waited for an approval");
        } catch (Unavailable stoppedOrLost) {
            return cutShort(passage, question);
        }
        if (answer.isEmpty() && cannotComeBack(passage)) {
            return cutShort(passage, question);
        }
        if (answer.isEmpty()) {
            return stillHeld(passage);
        }
        return settle(passage, question, answer.get(), needed.reason());
    }

    private static Optional<Outcome> stillHeld(Passage passage) {
        return leave(
                passage,
                null,
                ErrorCode.REQUEST_RUNNING,
                "The call '" + passage.call().requestId() + "' still waits for an approval");
    }

    private Optional<Outcome> settle(Passage passage, HeldQuestion question, Approvals.Answer answer, String reason) {
        passage.held(answer);
        if (answer.verdict() == Approvals.Verdict.APPROVED) {
            if (!question.claim()) {
                throw new RequestKeys.Taken();
            }
            passage.claimed();
        }
        return refusal(answer, reason);
    }

    private static boolean cannotComeBack(Passage passage) {
        return passage.call().whenHeld() == Call.WhenHeld.WAIT_OR_WITHDRAW;
    }

    // The question stays for others, unless nobody would ever ask for the outcome.
    private static Optional<Outcome> cutShort(Passage passage, HeldQuestion question) {
        if (cannotComeBack(passage)) {
            question.withdraw();
            passage.claimed(); // nobody else can run it; given back, it can be recorded once that is possible
            return refuse(
                    ErrorCode.APPROVAL_DENIED,
                    "The wait for an approval was cut short, and the call was withdrawn, because nobody can come back"
                            + " for its outcome");
        }
        return leave(
                passage,
                null,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The wait for an approval was cut short; the question stays open, and the outcome can be had under"
                        + " request id '" + passage.call().requestId() + "'");
    }

    // The call goes on without its caller, who is told this in place of an outcome.
    private static Optional<Outcome> leave(
            Passage passage, Answer.@Nullable Held held, ErrorCode code, String message) {
        Map<String, Object> details = held == null
                ? Map.of()
                : Map.of(
                        "approvalId", held.question().toString(),
                        "expiresAt", held.expiresAt().toString());
        Outcome forNow = new Outcome.Refused(new Failure(code, message, details, null));
        passage.leave(new Answer(passage.call().requestId(), forNow, false, held));
        return Optional.of(forNow);
    }

    private Optional<Outcome> refusal(Approvals.Answer answer, String reason) {
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

    private static Optional<Outcome> refuse(ErrorCode code, String message) {
        return Optional.of(new Outcome.Refused(Failure.of(code, message)));
    }
}
