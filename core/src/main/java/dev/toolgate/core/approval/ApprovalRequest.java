package dev.toolgate.core.approval;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.Decision;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A question as people see it, free of secrets.
 *
 * @param maskedCharacters how many characters of the arguments are masked
 * @param answer {@code null} while it is open
 * @param scope how far the yes reaches; {@code null} unless there was one
 * @param yeses so far, the first one first
 */
public record ApprovalRequest(
        UUID id,
        RequestId requestId,
        Caller caller,
        String tool,
        String operation,
        @Nullable String project,
        ObjectNode arguments,
        long maskedCharacters,
        String reason,
        @Nullable String approvalRuleId,
        @Nullable String preview,
        Instant askedAt,
        Instant expiresAt,
        Approvals.@Nullable Answer answer,
        ApprovalDesk.@Nullable Scope scope,
        List<Decision.Cause> causes,
        ApprovalTerms terms,
        List<Yes> yeses) {

    /** What one person said who approves; with enough of them the question is answered. */
    public record Yes(String by, @Nullable String reason, Instant at) {}

    /** Where the question stands. */
    public ApprovalDesk.State state() {
        return answer == null ? ApprovalDesk.State.PENDING : ApprovalDesk.State.of(answer.verdict());
    }
}
