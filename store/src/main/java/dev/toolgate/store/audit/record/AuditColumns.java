package dev.toolgate.store.audit.record;

import static dev.toolgate.store.audit.record.AuditColumn.optional;
import static dev.toolgate.store.audit.record.AuditColumn.required;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.tool.RunsAt;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of the audit log with the facts about a call. SQL, JSON, CSV, the API document and the digest are all
 * derived from this list. A new column is a line in {@link #ADDED}, a component of {@link CallFacts} and a migration.
 */
public final class AuditColumns {
    static final AuditColumn<String> REQUEST_ID = required("request_id", ColumnType.TEXT, CallFacts::requestId)
            .inIntent()
            .withSchema("Id")
            .example("\"req_789\"");
    static final AuditColumn<Instant> TIMESTAMP = required("timestamp", ColumnType.recordTime(), CallFacts::timestamp)
            .inIntent()
            .withSchema("Time")
            .example("\"2025-11-01T01:15:30Z\"");
    static final AuditColumn<String> AGENT_ID = required("agent_id", ColumnType.TEXT, CallFacts::agentId)
            .inIntent()
            .withSchema("Id")
            .example("\"frontend_dev_001\"");
    static final AuditColumn<String> PROJECT_ID = optional("project_id", ColumnType.TEXT, CallFacts::projectId)
            .inIntent()
            .example("\"proj_123\"");
    static final AuditColumn<String> TOOL_NAME = required("tool_name", ColumnType.TEXT, CallFacts::toolName)
            .inIntent()
            .withSchema("ToolName")
            .example("\"database_write\"");
    static final AuditColumn<String> OPERATION = required("operation", ColumnType.TEXT, CallFacts::operation)
            .inIntent()
            .example("\"write\"");
    static final AuditColumn<String> PARAMETERS = required("parameters", ColumnType.OBJECT, CallFacts::parameters)
            .inIntent()
            .describedAs("The arguments, with secrets masked.")
            .example("{\"table\": \"users\"}");
    static final AuditColumn<Boolean> ALLOWED = required("allowed", ColumnType.BOOLEAN, CallFacts::allowed)
            .describedAs("Whether the gate allowed the call.")
            .example("false");
    static final AuditColumn<String> DENIAL_REASON = optional("denial_reason", ColumnType.TEXT, CallFacts::denialReason)
            .describedAs("Why the call was refused.")
            .example("\"Agent 'frontend_dev_001' not permitted to use tool 'database_write'\"");
    static final AuditColumn<Integer> EXECUTION_TIME_MS = optional(
                    "execution_time_ms", ColumnType.INTEGER, CallFacts::executionTimeMs)
            .example("0");
    static final AuditColumn<String> RESULT_SUMMARY = optional(
                    "result_summary", ColumnType.TEXT, CallFacts::resultSummary)
            .describedAs("A short summary of the result.")
            .example("\"\"");
    static final AuditColumn<String> SESSION_ID =
            optional("session_id", ColumnType.TEXT, CallFacts::sessionId).inIntent();
    static final AuditColumn<AuditLog.Status> STATUS =
            required("status", ColumnType.STATUS, CallFacts::status).example("\"REFUSED\"");
    static final AuditColumn<String> ERROR_CODE = optional("error_code", ColumnType.TEXT, CallFacts::errorCode)
            .withSchema("ErrorCode")
            .example("\"PERMISSION_DENIED\"");
    static final AuditColumn<String> APPROVED_BY = optional("approved_by", ColumnType.TEXT, CallFacts::approvedBy)
            .inIntent()
            .describedAs("Who approved or denied the call; all of them if there were several.");
    static final AuditColumn<Instant> APPROVED_AT = optional("approved_at", ColumnType.TIME, CallFacts::approvedAt)
            .inIntent()
            .withSchema("Time")
            .describedAs("When they answered.");
    static final AuditColumn<String> APPROVAL_REASON = optional(
                    "approval_reason", ColumnType.TEXT, CallFacts::approvalReason)
            .inIntent()
            .describedAs("The reason they gave.");
    static final AuditColumn<String> APPROVAL_RULE_ID = optional(
                    "approval_rule_id", ColumnType.TEXT, CallFacts::approvalRuleId)
            .inIntent()
            .describedAs("The rule of the session's policy that required the approval, if one did.");
    static final AuditColumn<String> PRINCIPAL = optional("principal", ColumnType.TEXT, CallFacts::principal)
            .inIntent()
            .describedAs("The key or token with which the call was authenticated.")
            .example("\"key:3f2a91c0\"");
    static final AuditColumn<BigDecimal> COST = optional("cost", ColumnType.DECIMAL, CallFacts::cost);
    static final AuditColumn<String> TENANT_ID = required("tenant_id", ColumnType.TEXT, CallFacts::tenantId)
            .inIntent()
            .withSchema("Id")
            .example("\"default\"");
    static final AuditColumn<String> WORKSPACE_ID = required("workspace_id", ColumnType.TEXT, CallFacts::workspaceId)
            .inIntent()
            .withSchema("Id")
            .example("\"default\"");

    static final AuditColumn<Integer> DIGEST_VERSION = required(
                    "digest_version", ColumnType.INTEGER, CallFacts::digestVersion)
            .withLegacyValue(RecordDigest.FIRST)
            .describedAs("The version of the record's digest; see the audit guide.")
            .example("2");
    static final AuditColumn<AuditLog.Kind> KIND = required("kind", ColumnType.KIND, CallFacts::kind)
            .withLegacyValue(AuditLog.Kind.CALL)
            .inIntent()
            .describedAs("Whether it is a tool call, or a change of keys, permissions, settings and similar.")
            .example("\"call\"");
    static final AuditColumn<String> CORRELATION_ID = optional(
                    "correlation_id", ColumnType.TEXT, CallFacts::correlationId)
            .inIntent()
            .describedAs("The id of the request; also in the log lines and the telemetry of the call.")
            .example("\"5d1f0c9b7a3e48d2\"");
    static final AuditColumn<String> CONVERSATION_ID = optional(
                    "conversation_id", ColumnType.TEXT, CallFacts::conversationId)
            .inIntent()
            .describedAs("The conversation in which a model requested the call.");
    static final AuditColumn<String> MESSAGE_ID = optional("message_id", ColumnType.TEXT, CallFacts::messageId)
            .inIntent()
            .describedAs("The message of that conversation.");
    static final AuditColumn<String> TOOL_CALL_ID = optional("tool_call_id", ColumnType.TEXT, CallFacts::toolCallId)
            .inIntent()
            .describedAs("The id that the model gave the call.");
    static final AuditColumn<String> TASK_ID = optional("task_id", ColumnType.TEXT, CallFacts::taskId)
            .inIntent()
            .describedAs("The task of an agent host.");
    static final AuditColumn<String> STEP_ID =
            optional("step_id", ColumnType.TEXT, CallFacts::stepId).inIntent().describedAs("The step of that task.");
    static final AuditColumn<Instant> CLIENT_TIMESTAMP = optional(
                    "client_timestamp", ColumnType.TIME, CallFacts::clientTimestamp)
            .inIntent()
            .withSchema("Time")
            .describedAs("When the call was made, by the caller's clock.");
    static final AuditColumn<String> ARGUMENTS_DIGEST = optional(
                    "arguments_digest", ColumnType.TEXT, CallFacts::argumentsDigest)
            .inIntent()
            .describedAs("A keyed digest of the original arguments.");
    static final AuditColumn<Integer> MASKED_CHARACTERS = optional(
                    "masked_characters", ColumnType.INTEGER, CallFacts::maskedCharacters)
            .inIntent()
            .describedAs("How many characters of the arguments are masked.");

    static final AuditColumn<String> CLIENT = optional("client", ColumnType.TEXT, CallFacts::client)
            .inIntent()
            .describedAs("The program that made the call and its version, by its own account.")
            .example("\"claude-code/2.1\"");

    static final AuditColumn<RunsAt> EXECUTED_BY = required("executed_by", ColumnType.PLACE, CallFacts::executedBy)
            .withUnstoredValue(RunsAt.GATE)
            .inIntent()
            .describedAs("Who ran the tool: the gate, or the client that was given a permit.")
            .example("\"gate\"");

    static final AuditColumn<String> UNDOES = optional("undoes", ColumnType.TEXT, CallFacts::undoes)
            .inIntent()
            .describedAs("The id of the record whose change the call takes back.")
            .example("\"4711\"");

    /** The columns covered by the first version of the digest, in the order of their JSON. */
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

    /** The columns added since, in the order of their JSON. */
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
            MASKED_CHARACTERS,
            CLIENT,
            EXECUTED_BY,
            UNDOES);

    public static final List<AuditColumn<?>> ALL =
            Stream.concat(FIRST.stream(), ADDED.stream()).toList();

    static final List<AuditColumn<?>> BY_NAME =
            ALL.stream().sorted(Comparator.comparing(AuditColumn::name)).toList();

    public static final List<AuditColumn<?>> OF_INTENTS = ALL.stream()
            .filter(column -> column.place() == AuditColumn.Place.INTENT_AND_RECORD)
            .toList();

    private AuditColumns() {}

    /** A SQL list of column names. */
    public static String names(List<AuditColumn<?>> columns) {
        return columns.stream().map(AuditColumn::name).collect(Collectors.joining(", "));
    }

    /** A SQL list with one array parameter per column, bound by {@link ColumnArrays#records}. */
    public static String values(List<AuditColumn<?>> columns) {
        return columns.stream().map(column -> column.type().sql()).collect(Collectors.joining(", "));
    }
}
