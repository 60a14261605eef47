package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.server.door.TextFields;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What somebody says to a question.
 *
 * @param scope this call only if left out; a no never reaches further
 * @param expiresAt when a yes for a session or an agent ends
 */
record Said(
        boolean approved,
        @Nullable String reason,
        ApprovalDesk.@Nullable Scope scope,
        @Nullable Instant expiresAt) {
    private static final int LONGEST_REASON = 2000;

    Said {
        TextFields.checkNullable("reason", reason, LONGEST_REASON);
        if (expiresAt != null && (!approved || scope == null || scope == ApprovalDesk.Scope.ONCE)) {
            throw new IllegalArgumentException("Field 'expires_at' is only for a yes with the scope session or agent.");
        }
    }

    ApprovalDesk.Say by(String name) {
        return new ApprovalDesk.Say(
                approved ? ApprovalDesk.YesOrNo.YES : ApprovalDesk.YesOrNo.NO,
                name,
                reason,
                scope == null || !approved ? ApprovalDesk.Scope.ONCE : scope,
                expiresAt);
    }
}
