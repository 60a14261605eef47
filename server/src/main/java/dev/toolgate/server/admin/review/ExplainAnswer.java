package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.pipeline.Explanation;
import dev.toolgate.http.error.HttpFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the gate would decide about a call, and what each rule says.
 *
 * @param toolName the canonical name
 * @param decision the strictest of the rules
 * @param problem why the call would fail although it is permitted
 */
record ExplainAnswer(
        String agentId,
        String toolName,
        boolean toolExists,
        String decision,
        @Nullable ErrorCode code,
        @Nullable String reason,
        List<RuleVerdict> rules,
        @Nullable Problem problem) {
    /** What one rule says. */
    record RuleVerdict(
            String rule,
            String decision,
            @Nullable ErrorCode code,
            @Nullable String reason) {}

    /** Why a permitted call would fail. */
    record Problem(ErrorCode code, String message) {}

    static ExplainAnswer of(String agent, String tool, boolean toolExists, Explanation explanation) {
        if (explanation.decision() instanceof Decision.Deny(ErrorCode code, String reason)
                && code == ErrorCode.SERVICE_UNAVAILABLE) {
            throw HttpFailure.unavailable(reason);
        }
        Failure obstacle = explanation.obstacle();
        return new ExplainAnswer(
                agent,
                tool,
                toolExists,
                word(explanation.decision()),
                code(explanation.decision()),
                reason(explanation.decision()),
                explanation.verdicts().stream()
                        .map(verdict -> new RuleVerdict(
                                verdict.rule(),
                                word(verdict.decision()),
                                code(verdict.decision()),
                                reason(verdict.decision())))
                        .toList(),
                obstacle == null ? null : new Problem(obstacle.code(), obstacle.message()));
    }

    /** The decision in one word. */
    static String word(Decision decision) {
        return switch (decision) {
            case Decision.Allow allow -> "allowed";
            case Decision.NeedsApproval needed -> "needs_approval";
            case Decision.Deny deny -> "denied";
        };
    }

    private static @Nullable ErrorCode code(Decision decision) {
        return decision instanceof Decision.Deny deny ? deny.code() : null;
    }

    private static @Nullable String reason(Decision decision) {
        return switch (decision) {
            case Decision.Allow allow -> null;
            case Decision.NeedsApproval needed -> needed.reason();
            case Decision.Deny deny -> deny.reason();
        };
    }
}
