package dev.toolgate.store.audit.record;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.tool.RunsAt;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The facts about a call in an audit record, exactly as stored; {@link AuditColumns} describes the columns.
 *
 * @param parameters canonical JSON
 * @param timestamp when the call arrived, to the microsecond
 * @param principal {@code null} in records from before it was recorded
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
        @Nullable Integer maskedCharacters,
        @Nullable String client,
        RunsAt executedBy,
        @Nullable String undoes) {
    public static final String INTERRUPTED =
            "The outcome was not recorded; the tool may have done all, some or none of its work";
    private static final int MAX_ID_LENGTH = 100;
    private static final int MAX_TOOL_LENGTH = 200;
    private static final int MAX_PRINCIPAL_LENGTH = 200;
    private static final int MAX_CONTEXT_ID_LENGTH = 200;
    private static final int MAX_TEXT_LENGTH = 4000;
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
                CleanText.ofNullable(entry.denialReason(), MAX_TEXT_LENGTH),
                entry.approval(),
                Math.clamp(entry.took().toMillis(), 0, Integer.MAX_VALUE),
                CleanText.of(entry.resultSummary(), MAX_TEXT_LENGTH),
                entry.cost(),
                entry.executedBy());
    }

    /** The facts about an interrupted call, of which only the intent is known. */
    public static CallFacts of(AuditLog.Intent intent) {
        return interrupted(intent, AuditLog.Approval.NONE, RunsAt.GATE);
    }

    /** The facts about a permitted call whose outcome was not reported. */
    public static CallFacts of(AuditLog.Permit permit) {
        return interrupted(permit.call(), permit.approval(), RunsAt.CLIENT);
    }

    private static CallFacts interrupted(AuditLog.Intent intent, AuditLog.Approval approval, RunsAt executedBy) {
        return of(intent, true, AuditLog.Status.INTERRUPTED, null, null, approval, null, INTERRUPTED, null, executedBy);
    }

    /** What was known of the call before it started. */
    public AuditLog.Intent intent() {
        return new AuditLog.Intent(
                kind,
                new RequestId(requestId),
                new Caller(
                        new TenantId(tenantId),
                        new AgentId(agentId),
                        sessionId == null ? null : new SessionId(sessionId),
                        new WorkspaceId(workspaceId),
                        principal == null ? "" : principal),
                new CallContext(
                        correlationId,
                        conversationId,
                        messageId,
                        toolCallId,
                        taskId,
                        stepId,
                        clientTimestamp,
                        client,
                        undoes),
                projectId,
                toolName,
                operation,
                (ObjectNode) CanonicalJson.EXACT.readTree(parameters),
                argumentsDigest,
                maskedCharacters,
                timestamp);
    }

    /** The approval of the call, if it had one. */
    public AuditLog.Approval approval() {
        return new AuditLog.Approval(approvedBy, approvedAt, approvalReason, approvalRuleId);
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
            @Nullable BigDecimal cost,
            RunsAt executedBy) {
        SessionId session = call.caller().session();
        CallContext context = call.context();
        return new CallFacts(
                id(call.caller().tenant().value()),
                id(call.requestId().value()),
                call.at(),
                id(call.caller().agent().value()),
                session == null ? null : id(session.value()),
                id(call.caller().workspace().value()),
                CleanText.ofNullable(call.project(), MAX_ID_LENGTH),
                CleanText.of(call.tool(), MAX_TOOL_LENGTH),
                id(call.operation()),
                CanonicalJson.storable(call.parameters()),
                allowed,
                status,
                errorCode,
                denialReason,
                CleanText.ofNullable(approval.by(), MAX_TEXT_LENGTH),
                executionTimeMs,
                resultSummary,
                cost,
                CleanText.of(call.caller().principal(), MAX_PRINCIPAL_LENGTH),
                approval.at(),
                CleanText.ofNullable(approval.reason(), MAX_TEXT_LENGTH),
                CleanText.ofNullable(approval.ruleId(), MAX_ID_LENGTH),
                RecordDigest.CURRENT,
                call.kind(),
                CleanText.ofNullable(context.correlationId(), MAX_CONTEXT_ID_LENGTH),
                CleanText.ofNullable(context.conversationId(), MAX_CONTEXT_ID_LENGTH),
                CleanText.ofNullable(context.messageId(), MAX_CONTEXT_ID_LENGTH),
                CleanText.ofNullable(context.toolCallId(), MAX_CONTEXT_ID_LENGTH),
                CleanText.ofNullable(context.taskId(), MAX_CONTEXT_ID_LENGTH),
                CleanText.ofNullable(context.stepId(), MAX_CONTEXT_ID_LENGTH),
                storable(context.clientTimestamp()),
                CleanText.ofNullable(call.argumentsDigest(), MAX_CONTEXT_ID_LENGTH),
                call.maskedCharacters(),
                CleanText.ofNullable(context.client(), MAX_CONTEXT_ID_LENGTH),
                executedBy,
                CleanText.ofNullable(context.undoes(), MAX_ID_LENGTH));
    }

    /** A source of column values: a database row or JSON. */
    public interface Values {
        <T> @Nullable T get(AuditColumn<T> column) throws SQLException;

        default <T> T required(AuditColumn<T> column) throws SQLException {
            T value = get(column);
            if (value == null) {
                throw new IllegalArgumentException("The record has no value for " + column.name() + ".");
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
                values.get(AuditColumns.MASKED_CHARACTERS),
                values.get(AuditColumns.CLIENT),
                values.required(AuditColumns.EXECUTED_BY),
                values.get(AuditColumns.UNDOES));
    }

    /** The digest of all components. */
    public String digest() {
        return RecordDigest.of(new RecordTexts(this));
    }

    private static String id(String value) {
        return CleanText.of(value, MAX_ID_LENGTH);
    }

    // The caller's time can be anything, and one that PostgreSQL cannot store would fail a whole batch.
    private static @Nullable Instant storable(@Nullable Instant time) {
        return time == null || time.isBefore(EARLIEST) || time.isAfter(LATEST) ? null : time;
    }
}
