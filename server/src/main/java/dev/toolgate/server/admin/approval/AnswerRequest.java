package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.server.door.TextFields;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer to an approval request.
 *
 * @param scope this call only if left out; a denial always applies to this call only
 * @param expiresAt when an approval for a session or an agent ends
 */
record AnswerRequest(
        boolean approved,
        @Nullable String reason,
        ApprovalDesk.@Nullable Scope scope,
        @Nullable Instant expiresAt) {
    private static final int MAX_REASON = 2000;

    AnswerRequest {
        TextFields.checkNullable("reason", reason, MAX_REASON);
        if (expiresAt != null && (!approved || scope == null || scope == ApprovalDesk.Scope.ONCE)) {
            throw new IllegalArgumentException(
                    "Field 'expires_at' is only allowed for an approval with the scope session or agent.");
        }
    }

    ApprovalDesk.Vote by(String name) {
        return new ApprovalDesk.Vote(
                approved ? ApprovalDesk.Choice.APPROVE : ApprovalDesk.Choice.DENY,
                name,
                reason,
                scope == null || !approved ? ApprovalDesk.Scope.ONCE : scope,
                expiresAt);
    }
}
