package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.approval.HeldQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A question in PostgreSQL, in the hands of this instance. */
record PostgresQuestion(UUID id, Instant expiresAt, PostgresApprovals approvals) implements HeldQuestion {
    @Override
    public Optional<Answer> await(Duration patience) throws InterruptedException {
        return approvals.await(id, patience);
    }

    @Override
    public boolean claim() {
        return approvals.claim(id);
    }

    @Override
    public void giveBack() {
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
