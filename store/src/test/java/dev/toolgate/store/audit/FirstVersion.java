package dev.toolgate.store.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.tool.RunsAt;
import dev.toolgate.store.audit.record.CallFacts;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Records of the first digest version. */
public final class FirstVersion {
    private FirstVersion() {}

    public static CallFacts facts(
            String tenantId,
            String requestId,
            Instant timestamp,
            String agentId,
            @Nullable String sessionId,
            String workspaceId,
            @Nullable String projectId,
            String toolName,
            String operation,
            String parameters,
            boolean allowed,
            AuditLog.Status status,
            @Nullable String errorCode,
            @Nullable String denialReason,
            @Nullable String approvedBy,
            @Nullable Integer executionTimeMs,
            @Nullable String resultSummary,
            @Nullable BigDecimal cost,
            @Nullable String principal) {
        return new CallFacts(
                tenantId,
                requestId,
                timestamp,
                agentId,
                sessionId,
                workspaceId,
                projectId,
                toolName,
                operation,
                parameters,
                allowed,
                status,
                errorCode,
                denialReason,
                approvedBy,
                executionTimeMs,
                resultSummary,
                cost,
                principal,
                null,
                null,
                null,
                1,
                AuditLog.Kind.CALL,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                RunsAt.GATE,
                null);
    }
}
