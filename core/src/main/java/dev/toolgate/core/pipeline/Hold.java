package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fourth stage: if a person must say yes, wait until one has. */
public final class Hold implements Stage {
    private final Approvals approvals;
    private final Duration patience;

    public Hold(Approvals approvals, Duration patience) {
        this.approvals = approvals;
        this.patience = patience;
    }

    @Override
    public Optional<Outcome> apply(Passage passage) throws InterruptedException {
        return switch (passage.decision()) {
            case Decision.Allow allowed -> Optional.empty();
            case Decision.NeedsApproval needed -> ask(passage, needed);
            case Decision.Deny denied ->
                throw new IllegalStateException("A denied call must not get as far as 'hold'.");
        };
    }

    private Optional<Outcome> ask(Passage passage, Decision.NeedsApproval needed) throws InterruptedException {
        RunGuard guard = new RunGuard(passage.call().cancellation(), null);
        try (guard) {
            Approvals.Answer answer = approvals.ask(question(passage, needed), patience);
            passage.held(answer);
            return refusal(answer, needed.reason());
        } catch (InterruptedException stopped) {
            guard.rethrowUnlessStopped(stopped);
            return Optional.of(new Outcome.Refused(
                    Failure.of(ErrorCode.APPROVAL_DENIED, "The call was cancelled while it waited for an approval")));
        }
    }

    private static Approvals.Question question(Passage passage, Decision.NeedsApproval needed)
            throws InterruptedException {
        return new Approvals.Question(
                passage.call().requestId(),
                passage.call().caller(),
                passage.toolName(),
                passage.call().arguments(),
                needed.reason(),
                needed.approvalRuleId(),
                preview(passage.bound(), passage.context()));
    }

    private static <A> @Nullable String preview(Passage.Bound<A> bound, ToolContext context)
            throws InterruptedException {
        Tool<A> tool = bound.tool();
        try {
            return tool.preview(bound.arguments(), context).orElse(null);
        } catch (ToolFailure wouldFail) {
            return "The call would fail: " + wouldFail.failure().message();
        }
    }

    private Optional<Outcome> refusal(Approvals.Answer answer, String reason) {
        return switch (answer.verdict()) {
            case APPROVED -> Optional.empty();
            case DENIED ->
                refuse(
                        ErrorCode.APPROVAL_DENIED,
                        "A person refused the call" + (answer.reason() == null ? "" : ": " + answer.reason()));
            case TIMED_OUT ->
                refuse(ErrorCode.APPROVAL_TIMEOUT, "Nobody answered within " + patience.toSeconds() + " seconds");
            case NOBODY_TO_ASK -> refuse(ErrorCode.APPROVAL_REQUIRED, reason + ", and nobody can be asked here");
        };
    }

    private static Optional<Outcome> refuse(ErrorCode code, String message) {
        return Optional.of(new Outcome.Refused(Failure.of(code, message)));
    }
}
