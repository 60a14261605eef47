package dev.toolgate.store.audit.record;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.SessionId;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an audit record says about a call, exactly as it is stored; the columns are described in {@link AuditColumns}.
 *
 * @param parameters canonical JSON
 * @param timestamp when the call came in, to the microsecond
 * @param principal {@code null} in records from before it was noted
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
        @Nullable String approvalRuleId,
        int digestVersion,
        AuditLog.Kind kind,
        @Nullable String correlationId,
        @Nullable String conversationId,
        @Nullable String messageId,
        @Nullable String toolCallId,
        @Nullable String taskId,
        @Nullable String stepId,
        @Nullable Instant clientTimestamp,
        @Nullable String argumentsDigest,
        @Nullable Integer maskedCharacters) {
    public static final String INTERRUPTED =
            "The outcome never came on record; the tool may have done its work, a part of it or nothing";
    private static final int LONGEST_ID = 100;
    private static final int LONGEST_TOOL = 200;
    private static final int LONGEST_PRINCIPAL = 200;
    private static final int LONGEST_CONTEXT_ID = 200;
    private static final int LONGEST_TEXT = 4000;
    private static final int COST_DIGITS = 6;
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    public CallFacts {
        timestamp = timestamp.truncatedTo(ChronoUnit.MICROS);
        approvedAt = approvedAt == null ? null : approvedAt.truncatedTo(ChronoUnit.MICROS);
        clientTimestamp = clientTimestamp == null ? null : clientTimestamp.truncatedTo(ChronoUnit.MICROS);
        cost = cost == null ? null : cost.setScale(COST_DIGITS, RoundingMode.HALF_UP);
    }

    public static CallFacts of(AuditLog.Entry entry) {
        return of(
                entry.call(),
                entry.allowed(),
                entry.status(),
                entry.error() == null ? null : entry.error().name(),
                CleanText.ofNullable(entry.denialReason(), LONGEST_TEXT),
                entry.approval(),
                Math.clamp(entry.took().toMillis(), 0, Integer.MAX_VALUE),
                CleanText.of(entry.resultSummary(), LONGEST_TEXT),
                entry.cost());
    }

    /** What is known about a call of which there is only the intent: that it may have begun. */
    public static CallFacts of(AuditLog.Intent intent) {
        return of(
                intent, true, AuditLog.Status.INTERRUPTED, null, null, AuditLog.Approval.NONE, null, INTERRUPTED, null);
    }

    private static CallFacts of(
            AuditLog.Intent call,
            boolean allowed,
            AuditLog.Status status,
            @Nullable String errorCode,
            @Nullable String denialReason,
            AuditLog.Approval approval,
            @Nullable Integer executionTimeMs,
            String resultSummary,
            @Nullable BigDecimal cost) {
        SessionId session = call.caller().session();
        CallContext context = call.context();
        return new CallFacts(
                id(call.caller().tenant().value()),
                id(call.requestId().value()),
                call.at(),
                id(call.caller().agent().value()),
                session == null ? null : id(session.value()),
                id(call.caller().workspace().value()),
                CleanText.ofNullable(call.project(), LONGEST_ID),
                CleanText.of(call.tool(), LONGEST_TOOL),
                id(call.operation()),
                CanonicalJson.storable(call.parameters()),
                allowed,
                status,
                errorCode,
                denialReason,
                CleanText.ofNullable(approval.by(), LONGEST_TEXT),
                executionTimeMs,
                resultSummary,
                cost,
                CleanText.of(call.caller().principal(), LONGEST_PRINCIPAL),
                approval.at(),
                CleanText.ofNullable(approval.reason(), LONGEST_TEXT),
                CleanText.ofNullable(approval.ruleId(), LONGEST_ID),
                RecordDigest.CURRENT,
                call.kind(),
                CleanText.ofNullable(context.correlationId(), LONGEST_CONTEXT_ID),
                CleanText.ofNullable(context.conversationId(), LONGEST_CONTEXT_ID),
                CleanText.ofNullable(context.messageId(), LONGEST_CONTEXT_ID),
                CleanText.ofNullable(context.toolCallId(), LONGEST_CONTEXT_ID),
                CleanText.ofNullable(context.taskId(), LONGEST_CONTEXT_ID),
                CleanText.ofNullable(context.stepId(), LONGEST_CONTEXT_ID),
                storable(context.clientTimestamp()),
                CleanText.ofNullable(call.argumentsDigest(), LONGEST_CONTEXT_ID),
                call.maskedCharacters());
    }

    /** Values of columns, wherever they are read from. */
    public interface Values {
        <T> @Nullable T get(AuditColumn<T> column) throws SQLException;

        default <T> T required(AuditColumn<T> column) throws SQLException {
            T value = get(column);
            if (value == null) {
                throw new IllegalArgumentException("The record has no " + column.name() + ".");
            }
            return value;
        }
    }

    public static CallFacts read(Values values) throws SQLException {
        return new CallFacts(
                values.required(AuditColumns.TENANT_ID),
                values.required(AuditColumns.REQUEST_ID),
                values.required(AuditColumns.TIMESTAMP),
                values.required(AuditColumns.AGENT_ID),
                values.get(AuditColumns.SESSION_ID),
                values.required(AuditColumns.WORKSPACE_ID),
                values.get(AuditColumns.PROJECT_ID),
                values.required(AuditColumns.TOOL_NAME),
                values.required(AuditColumns.OPERATION),
                values.required(AuditColumns.PARAMETERS),
                values.required(AuditColumns.ALLOWED),
                values.required(AuditColumns.STATUS),
                values.get(AuditColumns.ERROR_CODE),
                values.get(AuditColumns.DENIAL_REASON),
                values.get(AuditColumns.APPROVED_BY),
                values.get(AuditColumns.EXECUTION_TIME_MS),
                values.get(AuditColumns.RESULT_SUMMARY),
                values.get(AuditColumns.COST),
                values.get(AuditColumns.PRINCIPAL),
                values.get(AuditColumns.APPROVED_AT),
                values.get(AuditColumns.APPROVAL_REASON),
                values.get(AuditColumns.APPROVAL_RULE_ID),
                values.required(AuditColumns.DIGEST_VERSION),
                values.required(AuditColumns.KIND),
                values.get(AuditColumns.CORRELATION_ID),
                values.get(AuditColumns.CONVERSATION_ID),
                values.get(AuditColumns.MESSAGE_ID),
                values.get(AuditColumns.TOOL_CALL_ID),
                values.get(AuditColumns.TASK_ID),
                values.get(AuditColumns.STEP_ID),
                values.get(AuditColumns.CLIENT_TIMESTAMP),
                values.get(AuditColumns.ARGUMENTS_DIGEST),
                values.get(AuditColumns.MASKED_CHARACTERS));
    }

    /** A digest of everything above. */
    public String digest() {
        return RecordDigest.of(new RecordTexts(this));
    }

    private static String id(String value) {
        return CleanText.of(value, LONGEST_ID);
    }

    // A caller's clock can say anything, and one time that the database does not know would fail a whole batch.
    private static @Nullable Instant storable(@Nullable Instant time) {
        return time == null || time.isBefore(EARLIEST) || time.isAfter(LATEST) ? null : time;
    }
}
