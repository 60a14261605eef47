package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;

/** Extracts parts of answers, failing if they are of another kind. */
final class Answers {
    private Answers() {}

    static Output output(Answer answer) {
        assertThat(answer.asOutcome()).isInstanceOf(Outcome.Completed.class);
        return ((Outcome.Completed) answer.asOutcome()).output();
    }

    static Failure failure(Answer answer) {
        assertThat(answer.asOutcome()).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) answer.asOutcome()).failure();
    }

    static Failure refusal(Answer answer) {
        assertThat(answer.asOutcome()).isInstanceOf(Outcome.Refused.class);
        return ((Outcome.Refused) answer.asOutcome()).failure();
    }

    static Answer.Undecided undecided(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Undecided.class);
        return (Answer.Undecided) answer;
    }

    /** Why a call did not complete, for any kind of answer. */
    static Failure problem(Answer answer) {
        return switch (answer.asOutcome()) {
            case Outcome.Completed completed -> throw new AssertionError("It completed.");
            case Outcome.Failed failed -> failed.failure();
            case Outcome.Refused refused -> refused.failure();
        };
    }
}
