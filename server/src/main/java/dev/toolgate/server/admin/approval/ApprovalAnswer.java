package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.decision.Decision;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An approval request as a JSON response; secrets are masked. */
record ApprovalAnswer(
        String approvalId,
        String state,
        String requestId,
        String agentId,
        @Nullable String sessionId,
        @Nullable String projectId,
        String principal,
        String toolName,
        String operation,
        ObjectNode parameters,
        long maskedCharacters,
        String reason,
        @Nullable String approvalRuleId,
        @Nullable String preview,
        Instant askedAt,
        Instant expiresAt,
        @Nullable Instant answeredAt,
        @Nullable String answeredBy,
        @Nullable String answerReason,
        @Nullable String scope,
        List<CauseAnswer> causes,
        int approvalsNeeded,
        List<YesAnswer> approvals,
        boolean callerMayApprove) {

    /** Why an approval is needed, and the rule of the session's policy that asks for it. */
    record CauseAnswer(String reason, @Nullable String approvalRuleId) {
        static CauseAnswer of(Decision.Cause cause) {
            return new CauseAnswer(cause.reason(), cause.approvalRuleId());
        }
    }

    /** One approval; a request may need several. */
    record YesAnswer(String by, @Nullable String reason, Instant at) {}

    static ApprovalAnswer of(ApprovalRequest request) {
        Approvals.Answer answer = request.answer();
        return new ApprovalAnswer(
                request.id().toString(),
                request.state().wireName(),
                request.requestId().value(),
                request.caller().agent().value(),
                request.caller().session() == null
                        ? null
                        : request.caller().session().value(),
                request.project(),
                request.caller().principal(),
                request.tool(),
                request.operation(),
                request.arguments(),
                request.maskedCharacters(),
                request.reason(),
                request.approvalRuleId(),
                request.preview(),
                request.askedAt(),
                request.expiresAt(),
                answer == null ? null : answer.at(),
                answer == null ? null : answer.by(),
                answer == null ? null : answer.reason(),
                request.scope() == null ? null : request.scope().wireName(),
                request.causes().stream().map(CauseAnswer::of).toList(),
                request.terms().approvers(),
                request.yeses().stream()
                        .map(yes -> new YesAnswer(yes.by(), yes.reason(), yes.at()))
                        .toList(),
                request.terms().approver() == ApprovalTerms.Approver.ANYBODY);
    }
}
