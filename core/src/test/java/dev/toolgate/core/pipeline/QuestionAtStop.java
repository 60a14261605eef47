package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** An approval request on a stopping server, where waits fail. */
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
    public Optional<Approvals.Answer> await(Duration timeout) {
        throw new Unavailable("The server is stopping.", null);
    }

    @Override
    public boolean claim() {
        return question.claim();
    }

    @Override
    public void releaseClaim() {
        question.releaseClaim();
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
