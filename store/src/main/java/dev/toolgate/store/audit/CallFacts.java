package dev.toolgate.store.audit;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.port.AuditLog;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an audit record says about a call, exactly as it is stored.
 *
 * @param parameters canonical JSON
 * @param allowed whether the gate let the call through
 * @param timestamp when the call came in, to the microsecond
 * @param principal who showed a key or token for the agent; {@code null} in records from before it was noted
 * @param approvedAt when whoever is named in {@code approvedBy} answered
 * @param approvalReason why, in their words
 * @param approvalRuleId the rule of the session's policy that wanted them asked
 */
public record CallFacts(
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
        @Nullable String principal,
        @Nullable Instant approvedAt,
        @Nullable String approvalReason,
        @Nullable String approvalRuleId) {
    static final String INTERRUPTED =
            "The outcome never came on record; the tool may have done its work, a part of it or nothing";
    private static final int LONGEST_ID = 100;
    private static final int LONGEST_TOOL = 200;
    private static final int LONGEST_PRINCIPAL = 200;
    private static final int LONGEST_TEXT = 4000;
    private static final int COST_DIGITS = 6;

    public CallFacts {
        timestamp = timestamp.truncatedTo(ChronoUnit.MICROS);
        approvedAt = approvedAt == null ? null : approvedAt.truncatedTo(ChronoUnit.MICROS);
        cost = cost == null ? null : cost.setScale(COST_DIGITS, RoundingMode.HALF_UP);
    }

    /** A call that no person was asked about. */
    CallFacts(
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
        this(
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
                null);
    }

    static CallFacts of(AuditLog.Entry entry) {
        SessionId session = entry.caller().session();
        return new CallFacts(
                id(entry.caller().tenant().value()),
                id(entry.requestId().value()),
                entry.at(),
                id(entry.caller().agent().value()),
                session == null ? null : id(session.value()),
                id(entry.caller().workspace().value()),
                CleanText.ofNullable(entry.project(), LONGEST_ID),
                CleanText.of(entry.tool(), LONGEST_TOOL),
                id(entry.operation()),
                CanonicalJson.storable(entry.parameters()),
                entry.allowed(),
                entry.status(),
                entry.error() == null ? null : entry.error().name(),
                CleanText.ofNullable(entry.denialReason(), LONGEST_TEXT),
                CleanText.ofNullable(entry.approvedBy(), LONGEST_ID),
                Math.clamp(entry.took().toMillis(), 0, Integer.MAX_VALUE),
                CleanText.of(entry.resultSummary(), LONGEST_TEXT),
                entry.cost(),
                CleanText.of(entry.caller().principal(), LONGEST_PRINCIPAL),
                entry.approvedAt(),
                CleanText.ofNullable(entry.approvalReason(), LONGEST_TEXT),
                CleanText.ofNullable(entry.approvalRuleId(), LONGEST_ID));
    }

    /** What is known about a call of which there is only the intent: that it may have begun. */
    static CallFacts of(AuditLog.Intent intent) {
        SessionId session = intent.caller().session();
        return new CallFacts(
                id(intent.caller().tenant().value()),
                id(intent.requestId().value()),
                intent.at(),
                id(intent.caller().agent().value()),
                session == null ? null : id(session.value()),
                id(intent.caller().workspace().value()),
                CleanText.ofNullable(intent.project(), LONGEST_ID),
                CleanText.of(intent.tool(), LONGEST_TOOL),
                id(intent.operation()),
                CanonicalJson.storable(intent.parameters()),
                true,
                AuditLog.Status.INTERRUPTED,
                null,
                null,
                null,
                null,
                INTERRUPTED,
                null,
                CleanText.of(intent.caller().principal(), LONGEST_PRINCIPAL));
    }

    /** A digest of everything above. */
    String digest() {
        FieldDigest digest = new FieldDigest()
                .add(tenantId)
                .add(requestId)
                .add(timestamp.toString())
                .add(agentId)
                .add(sessionId)
                .add(workspaceId)
                .add(projectId)
                .add(toolName)
                .add(operation)
                .add(parameters)
                .add(Boolean.toString(allowed))
                .add(status.name())
                .add(errorCode)
                .add(denialReason)
                .add(approvedBy)
                .add(executionTimeMs == null ? null : executionTimeMs.toString())
                .add(resultSummary)
                .add(cost == null ? null : cost.toPlainString());
        // Only where there is one, so that records from before keep their digest.
        digest = principal == null ? digest : digest.add(principal);
        if (approvedAt == null && approvalReason == null && approvalRuleId == null) {
            return digest.hex(); // as it was before approvals were noted
        }
        digest = digest.add(approvedAt == null ? null : approvedAt.toString()).add(approvalReason);
        return approvalRuleId == null
                ? digest.hex()
                : digest.add(approvalRuleId).hex();
    }

    private static String id(String value) {
        return CleanText.of(value, LONGEST_ID);
    }
}
