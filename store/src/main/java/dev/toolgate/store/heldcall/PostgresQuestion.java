package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.approval.HeldQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** An approval request in PostgreSQL that this instance handles. */
record PostgresQuestion(UUID id, Instant expiresAt, PostgresApprovals approvals) implements HeldQuestion {
    @Override
    public Optional<Answer> await(Duration timeout) throws InterruptedException {
        return approvals.await(id, timeout);
    }

    @Override
    public boolean claim() {
        return approvals.claim(id);
    }

    @Override
    public void releaseClaim() {
        approvals.giveBack(id);
    }

    @Override
    public void withdraw() {
        approvals.withdraw(id);
    }

    @Override
    public void ended() {
        approvals.ended(id);
    }
}
