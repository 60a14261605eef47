package dev.toolgate.core.port;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Asks a person and waits for the answer. */
@FunctionalInterface
public interface Approvals {
    /** Nobody is there to ask, so nothing that needs asking can go on. */
    Approvals NOBODY = (question, patience) -> new Answer(Verdict.NOBODY_TO_ASK, null, null);

    /** Waits for an answer no longer than the patience lasts. */
    Answer ask(Question question, Duration patience) throws InterruptedException;

    /**
     * What a person is asked: this call, with exactly these arguments.
     *
     * @param preview what would happen, if the tool can say
     */
    record Question(
            RequestId requestId,
            Caller caller,
            String tool,
            ObjectNode arguments,
            String reason,
            @Nullable String approvalRuleId,
            @Nullable String preview) {}

    /** What came back. */
    record Answer(
            Verdict verdict, @Nullable String by, @Nullable String reason) {}

    /** The ways a question can end. */
    enum Verdict {
        APPROVED,
        DENIED,
        TIMED_OUT,
        NOBODY_TO_ASK
    }
}
