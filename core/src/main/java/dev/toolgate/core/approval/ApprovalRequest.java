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
 * An approval request as approvers see it, with secrets masked.
 *
 * @param arguments long texts may be shortened
 * @param maskedCharacters how many characters of the arguments are masked
 * @param answer {@code null} while it is pending
 * @param scope what the approval covers; {@code null} unless approved
 * @param yeses so far, oldest first
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

    /** The same with these arguments. */
    public ApprovalRequest withArguments(ObjectNode others) {
        return new ApprovalRequest(
                id,
                requestId,
                caller,
                tool,
                operation,
                project,
                others,
                maskedCharacters,
                reason,
                approvalRuleId,
                preview,
                askedAt,
                expiresAt,
                answer,
                scope,
                causes,
                terms,
                yeses);
    }

    /** One approver's yes. */
    public record Yes(String by, @Nullable String reason, Instant at) {}

    /** The state of the request. */
    public ApprovalDesk.State state() {
        return answer == null ? ApprovalDesk.State.PENDING : ApprovalDesk.State.of(answer.verdict());
    }
}
