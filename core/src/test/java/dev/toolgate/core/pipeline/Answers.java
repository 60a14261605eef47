package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;

/** Takes answers apart, failing if they are of another kind. */
final class Answers {
    private Answers() {}

    static Output output(Answer answer) {
        assertThat(answer.outcome()).isInstanceOf(Outcome.Completed.class);
        return ((Outcome.Completed) answer.outcome()).output();
    }

    static Failure failure(Answer answer) {
        assertThat(answer.outcome()).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) answer.outcome()).failure();
    }

    static Failure refusal(Answer answer) {
        assertThat(answer.outcome()).isInstanceOf(Outcome.Refused.class);
        return ((Outcome.Refused) answer.outcome()).failure();
    }
}
