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

/** One question in memory, and those who wait for its answer. */
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

    /** Whether it is held under this request id. */
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

    /** What comes of an answer. */
    synchronized ApprovalDesk.Ruling answer(ApprovalDesk.Say say) {
        if (settled() != null) {
            return new ApprovalDesk.Ruling.TooLate(request());
        }
        if (say.yesOrNo() == ApprovalDesk.YesOrNo.NO) {
            settle(new Answer(Verdict.DENIED, say.by(), say.reason(), clock.instant()));
            return new ApprovalDesk.Ruling.Counted(request());
        }
        if (question.terms().approver() == ApprovalTerms.Approver.NOT_THE_CALLER
                && say.by().equals(question.call().caller().principal())) {
            return new ApprovalDesk.Ruling.OwnCall(request());
        }
        if (yeses.stream().anyMatch(yes -> yes.by().equals(say.by()))) {
            return new ApprovalDesk.Ruling.SaidBefore(request());
        }
        yeses.add(new ApprovalRequest.Yes(say.by(), say.reason(), clock.instant()));
        scope = scope == null ? say.scope() : scope.and(say.scope());
        if (yeses.size() < question.terms().approvers()) {
            return new ApprovalDesk.Ruling.OneOfSeveral(request());
        }
        settle(new Answer(
                Verdict.APPROVED,
                yeses.stream().map(ApprovalRequest.Yes::by).collect(Collectors.joining(", ")),
                say.reason(),
                clock.instant()));
        return new ApprovalDesk.Ruling.Counted(request());
    }

    private void settle(Answer newAnswer) {
        answer = newAnswer;
        notifyAll();
    }

    // By the clock, whoever looks first.
    private @Nullable Answer settled() {
        if (answer == null && !clock.instant().isBefore(expiresAt)) {
            settle(new Answer(Verdict.TIMED_OUT, null, null, null));
        }
        return answer;
    }

    @Override
    public synchronized Optional<Answer> await(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
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
        Answer found = settled();
        if (found == null || found.verdict() != Verdict.APPROVED || claimed || over) {
            return false;
        }
        claimed = true;
        return true;
    }

    @Override
    public synchronized void giveBack() {
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
