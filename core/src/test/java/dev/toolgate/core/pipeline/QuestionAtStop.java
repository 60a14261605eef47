package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A question on a server that sends everybody away who waits. */
record QuestionAtStop(HeldQuestion question) implements HeldQuestion {
    @Override
    public UUID id() {
        return question.id();
    }

    @Override
    public Instant expiresAt() {
        return question.expiresAt();
    }

    @Override
    public Optional<Approvals.Answer> await(Duration patience) {
        throw new Unavailable("The server is stopping.", null);
    }

    @Override
    public boolean claim() {
        return question.claim();
    }

    @Override
    public void giveBack() {
        question.giveBack();
    }

    @Override
    public void withdraw() {
        question.withdraw();
    }

    @Override
    public void ended() {
        question.ended();
    }
}
