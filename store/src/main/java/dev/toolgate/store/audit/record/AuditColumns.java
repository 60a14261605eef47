package dev.toolgate.store.audit.record;

import static dev.toolgate.store.audit.record.AuditColumn.optional;
import static dev.toolgate.store.audit.record.AuditColumn.required;

import dev.toolgate.core.audit.AuditLog;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of the audit log that say what a record is about. This list is the only one: SQL, JSON, CSV, the API document
 * and the digest follow it. A new column is a line in {@link #ADDED}, a component of {@link CallFacts} and a migration.
 */
public final class AuditColumns {
    static final AuditColumn<String> REQUEST_ID = required("request_id", ColumnType.TEXT, CallFacts::requestId)
            .ofIntent()
            .like("Id")
            .example("\"req_789\"");
    static final AuditColumn<Instant> TIMESTAMP = required("timestamp", ColumnType.ownTime(), CallFacts::timestamp)
            .ofIntent()
            .like("Time")
            .example("\"2025-11-01T01:15:30Z\"");
    static final AuditColumn<String> AGENT_ID = required("agent_id", ColumnType.TEXT, CallFacts::agentId)
            .ofIntent()
            .like("Id")
            .example("\"frontend_dev_001\"");
    static final AuditColumn<String> PROJECT_ID = optional("project_id", ColumnType.TEXT, CallFacts::projectId)
            .ofIntent()
            .example("\"proj_123\"");
    static final AuditColumn<String> TOOL_NAME = required("tool_name", ColumnType.TEXT, CallFacts::toolName)
            .ofIntent()
            .like("ToolName")
            .example("\"database_write\"");
    static final AuditColumn<String> OPERATION = required("operation", ColumnType.TEXT, CallFacts::operation)
            .ofIntent()
            .example("\"write\"");
    static final AuditColumn<String> PARAMETERS = required("parameters", ColumnType.OBJECT, CallFacts::parameters)
            .ofIntent()
            .saying("The arguments; what looks secret is masked.")
            .example("{\"table\": \"users\"}");
    static final AuditColumn<Boolean> ALLOWED = required("allowed", ColumnType.BOOLEAN, CallFacts::allowed)
            .saying("Whether the gate let the call through.")
            .example("false");
    static final AuditColumn<String> DENIAL_REASON = optional("denial_reason", ColumnType.TEXT, CallFacts::denialReason)
            .saying("Why the call was refused.")
            .example("\"Agent 'frontend_dev_001' not permitted to use tool 'database_write'\"");
    static final AuditColumn<Integer> EXECUTION_TIME_MS = optional(
                    "execution_time_ms", ColumnType.INTEGER, CallFacts::executionTimeMs)
            .example("0");
    static final AuditColumn<String> RESULT_SUMMARY = optional(
                    "result_summary", ColumnType.TEXT, CallFacts::resultSummary)
            .saying("What came of it in short.")
            .example("\"\"");
    static final AuditColumn<String> SESSION_ID =
            optional("session_id", ColumnType.TEXT, CallFacts::sessionId).ofIntent();
    static final AuditColumn<AuditLog.Status> STATUS =
            required("status", ColumnType.STATUS, CallFacts::status).example("\"REFUSED\"");
    static final AuditColumn<String> ERROR_CODE = optional("error_code", ColumnType.TEXT, CallFacts::errorCode)
            .like("ErrorCode")
            .example("\"PERMISSION_DENIED\"");
    static final AuditColumn<String> APPROVED_BY = optional("approved_by", ColumnType.TEXT, CallFacts::approvedBy)
            .saying("Who was asked and answered, be it yes or no; with several approvers all of them.");
    static final AuditColumn<Instant> APPROVED_AT = optional("approved_at", ColumnType.TIME, CallFacts::approvedAt)
            .like("Time")
            .saying("When they answered.");
    static final AuditColumn<String> APPROVAL_REASON = optional(
                    "approval_reason", ColumnType.TEXT, CallFacts::approvalReason)
            .saying("Why, in their words.");
    static final AuditColumn<String> APPROVAL_RULE_ID = optional(
                    "approval_rule_id", ColumnType.TEXT, CallFacts::approvalRuleId)
            .saying("The rule of the session's policy that wanted them asked, if one did.");
    static final AuditColumn<String> PRINCIPAL = optional("principal", ColumnType.TEXT, CallFacts::principal)
            .ofIntent()
            .saying("Who showed a key or token for the agent.")
            .example("\"key:3f2a91c0\"");
    static final AuditColumn<BigDecimal> COST = optional("cost", ColumnType.DECIMAL, CallFacts::cost);
    static final AuditColumn<String> TENANT_ID = required("tenant_id", ColumnType.TEXT, CallFacts::tenantId)
            .ofIntent()
            .like("Id")
            .example("\"default\"");
    static final AuditColumn<String> WORKSPACE_ID = required("workspace_id", ColumnType.TEXT, CallFacts::workspaceId)
            .ofIntent()
            .like("Id")
            .example("\"default\"");

    static final AuditColumn<Integer> DIGEST_VERSION = required(
                    "digest_version", ColumnType.INTEGER, CallFacts::digestVersion)
            .before(RecordDigest.FIRST)
            .saying("How the digest of the record is made; see the audit guide.")
            .example("2");
    static final AuditColumn<AuditLog.Kind> KIND = required("kind", ColumnType.KIND, CallFacts::kind)
            .before(AuditLog.Kind.CALL)
            .ofIntent()
            .saying("Whether it is a call of a tool, or a change of keys, permissions, settings and the like.")
            .example("\"call\"");
    static final AuditColumn<String> CORRELATION_ID = optional(
                    "correlation_id", ColumnType.TEXT, CallFacts::correlationId)
            .ofIntent()
            .saying("The request it came with; also in the log lines and the telemetry of the call.")
            .example("\"5d1f0c9b7a3e48d2\"");
    static final AuditColumn<String> CONVERSATION_ID = optional(
                    "conversation_id", ColumnType.TEXT, CallFacts::conversationId)
            .ofIntent()
            .saying("The chat in which a model asked for the call.");
    static final AuditColumn<String> MESSAGE_ID = optional("message_id", ColumnType.TEXT, CallFacts::messageId)
            .ofIntent()
            .saying("The message of that chat.");
    static final AuditColumn<String> TOOL_CALL_ID = optional("tool_call_id", ColumnType.TEXT, CallFacts::toolCallId)
            .ofIntent()
            .saying("The id that the model gave the call.");
    static final AuditColumn<String> TASK_ID =
            optional("task_id", ColumnType.TEXT, CallFacts::taskId).ofIntent().saying("The task of an agent host.");
    static final AuditColumn<String> STEP_ID =
            optional("step_id", ColumnType.TEXT, CallFacts::stepId).ofIntent().saying("The step of that task.");
    static final AuditColumn<Instant> CLIENT_TIMESTAMP = optional(
                    "client_timestamp", ColumnType.TIME, CallFacts::clientTimestamp)
            .ofIntent()
            .like("Time")
            .saying("When the call was made by its caller's clock.");
    static final AuditColumn<String> ARGUMENTS_DIGEST = optional(
                    "arguments_digest", ColumnType.TEXT, CallFacts::argumentsDigest)
            .ofIntent()
            .saying("A keyed digest of the arguments as they were sent.");
    static final AuditColumn<Integer> MASKED_CHARACTERS = optional(
                    "masked_characters", ColumnType.INTEGER, CallFacts::maskedCharacters)
            .ofIntent()
            .saying("How many characters of the arguments are masked.");

    /** What records had in the first version of the digest, in the order of their JSON. */
    static final List<AuditColumn<?>> FIRST = List.of(
            REQUEST_ID,
            TIMESTAMP,
            AGENT_ID,
            PROJECT_ID,
            TOOL_NAME,
            OPERATION,
            PARAMETERS,
            ALLOWED,
            DENIAL_REASON,
            EXECUTION_TIME_MS,
            RESULT_SUMMARY,
            SESSION_ID,
            STATUS,
            ERROR_CODE,
            APPROVED_BY,
            APPROVED_AT,
            APPROVAL_REASON,
            APPROVAL_RULE_ID,
            PRINCIPAL,
            COST,
            TENANT_ID,
            WORKSPACE_ID);

    /** What has been added since, in the order of their JSON. */
    public static final List<AuditColumn<?>> ADDED = List.of(
            DIGEST_VERSION,
            KIND,
            CORRELATION_ID,
            CONVERSATION_ID,
            MESSAGE_ID,
            TOOL_CALL_ID,
            TASK_ID,
            STEP_ID,
            CLIENT_TIMESTAMP,
            ARGUMENTS_DIGEST,
            MASKED_CHARACTERS);

    public static final List<AuditColumn<?>> ALL =
            Stream.concat(FIRST.stream(), ADDED.stream()).toList();

    static final List<AuditColumn<?>> BY_NAME =
            ALL.stream().sorted(Comparator.comparing(AuditColumn::name)).toList();

    public static final List<AuditColumn<?>> OF_INTENTS = ALL.stream()
            .filter(column -> column.place() == AuditColumn.Place.INTENT_AND_RECORD)
            .toList();

    private AuditColumns() {}

    /** Their names, as SQL lists them. */
    public static String names(List<AuditColumn<?>> columns) {
        return columns.stream().map(AuditColumn::name).collect(Collectors.joining(", "));
    }

    /** One parameter each, filled by {@link ColumnArrays#columns}, which becomes one value a row. */
    public static String values(List<AuditColumn<?>> columns) {
        return columns.stream().map(column -> column.type().sql()).collect(Collectors.joining(", "));
    }
}
