package dev.toolgate.core.memory;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.port.ApprovalRequest;
import dev.toolgate.core.port.Approvals.Answer;
import dev.toolgate.core.port.Approvals.Question;
import dev.toolgate.core.port.Approvals.Verdict;
import dev.toolgate.core.port.HeldQuestion;
import dev.toolgate.core.port.RequestKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One question in memory, and those who wait for its answer. */
final class InMemoryQuestion implements HeldQuestion {
    private final UUID id = UUID.randomUUID();
    private final Question question;
    private final Clock clock;
    private final Instant askedAt;
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

    /** Whether this answer is the one that counts. */
    synchronized boolean answer(ApprovalDesk.Say say) {
        if (settled() != null) {
            return false;
        }
        scope = say.yesOrNo() == ApprovalDesk.YesOrNo.YES ? say.scope() : null;
        settle(new Answer(say.yesOrNo().verdict(), say.by(), say.reason(), clock.instant()));
        return true;
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
                question.reason(),
                question.approvalRuleId(),
                question.preview(),
                askedAt,
                expiresAt,
                settled(),
                scope);
    }
}
