package dev.toolgate.core.approval;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.approval.Approvals.Question;
import dev.toolgate.core.approval.Approvals.Verdict;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One approval request in memory, and the threads waiting for its answer. */
final class InMemoryQuestion implements HeldQuestion {
    private final UUID id = UUID.randomUUID();
    private final Question question;
    private final Clock clock;
    private final Instant askedAt;
    private final List<ApprovalRequest.Yes> yeses = new ArrayList<>();
    private Instant expiresAt;
    private @Nullable Answer answer;
    private ApprovalDesk.@Nullable Scope scope;
    private boolean claimed;
    private boolean over;

    InMemoryQuestion(Question question, Clock clock, Instant expiresAt) {
        this.question = question;
        this.clock = clock;
        this.askedAt = clock.instant();
        this.expiresAt = expiresAt;
    }

    @Override
    public UUID id() {
        return id;
    }

    @Override
    public synchronized Instant expiresAt() {
        return expiresAt;
    }

    Call call() {
        return question.call();
    }

    /** Whether it is open under this request id. */
    synchronized boolean isOf(RequestKey key) {
        return !over
                && question.key().requestId().equals(key.requestId())
                && question.key().agent().equals(key.agent())
                && question.key().tenant().equals(key.tenant());
    }

    boolean isFor(RequestKey key) {
        return question.key().equals(key);
    }

    synchronized InMemoryQuestion staysUntil(Instant later) {
        if (settled() == null && later.isAfter(expiresAt)) {
            expiresAt = later;
        }
        return this;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Counts a vote. */
    synchronized ApprovalDesk.VoteResult answer(ApprovalDesk.Vote vote) {
        if (settled() != null) {
            return new ApprovalDesk.VoteResult.TooLate(request());
        }
        if (vote.choice() == ApprovalDesk.Choice.DENY) {
            settle(new Answer(Verdict.DENIED, vote.by(), vote.reason(), clock.instant()));
            return new ApprovalDesk.VoteResult.Decided(request());
        }
        if (question.terms().approver() == ApprovalTerms.Approver.NOT_THE_CALLER
                && vote.by().equals(question.call().caller().principal())) {
            return new ApprovalDesk.VoteResult.OwnCall(request());
        }
        if (yeses.stream().anyMatch(yes -> yes.by().equals(vote.by()))) {
            return new ApprovalDesk.VoteResult.AlreadyVoted(request());
        }
        yeses.add(new ApprovalRequest.Yes(vote.by(), vote.reason(), clock.instant()));
        scope = scope == null ? vote.scope() : scope.and(vote.scope());
        if (yeses.size() < question.terms().approvers()) {
            return new ApprovalDesk.VoteResult.MoreVotesNeeded(request());
        }
        settle(new Answer(
                Verdict.APPROVED,
                yeses.stream().map(ApprovalRequest.Yes::by).collect(Collectors.joining(", ")),
                vote.reason(),
                clock.instant()));
        return new ApprovalDesk.VoteResult.Decided(request());
    }

    private void settle(Answer newAnswer) {
        answer = newAnswer;
        notifyAll();
    }

    // Expiry has no timer: it takes effect when the request is next looked at.
    private @Nullable Answer settled() {
        if (answer == null && !clock.instant().isBefore(expiresAt)) {
            settle(new Answer(Verdict.TIMED_OUT, null, null, null));
        } else if (answer != null && isUncollectedPermit(answer)) {
            settle(new Answer(Verdict.TIMED_OUT, answer.by(), answer.reason(), answer.at()));
        }
        return answer;
    }

    private boolean isUncollectedPermit(Answer given) {
        return given.verdict() == Verdict.APPROVED
                && question.call().permitFor() != null
                && !claimed
                && !over
                && !clock.instant().isBefore(expiresAt);
    }

    @Override
    public synchronized Optional<Answer> await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Answer found = settled();
        long left = deadline - System.nanoTime();
        while (found == null && left > 0) {
            long untilExpiry = Duration.between(clock.instant(), expiresAt).toMillis() + 1;
            wait(Math.clamp(Math.min(left / 1_000_000, untilExpiry), 1, 1000));
            found = settled();
            left = deadline - System.nanoTime();
        }
        return Optional.ofNullable(found);
    }

    @Override
    public synchronized boolean claim() {
        if (unclaimedYes().isEmpty()) {
            return false;
        }
        claimed = true;
        return true;
    }

    /** The answer, if it is a yes that can still be claimed. */
    synchronized Optional<Answer> unclaimedYes() {
        Answer found = settled();
        return found == null || found.verdict() != Verdict.APPROVED || claimed || over
                ? Optional.empty()
                : Optional.of(found);
    }

    @Override
    public synchronized void releaseClaim() {
        claimed = false;
    }

    @Override
    public synchronized void withdraw() {
        if (settled() == null) {
            settle(new Answer(Verdict.WITHDRAWN, null, null, null));
        }
        claimed = true;
    }

    @Override
    public synchronized void ended() {
        over = true;
    }

    synchronized ApprovalRequest request() {
        Call call = question.call();
        return new ApprovalRequest(
                id,
                call.requestId(),
                call.caller(),
                question.tool(),
                call.operation(),
                call.project(),
                question.arguments(),
                question.maskedCharacters(),
                question.reason(),
                question.approvalRuleId(),
                question.preview(),
                askedAt,
                expiresAt,
                settled(),
                answer == null ? null : scope,
                question.causes(),
                question.terms(),
                List.copyOf(yeses));
    }
}
