package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of one call, allowed or not, or of one change by an administrator.
 *
 * @param id its number
 * @param requestId the id of the call
 * @param timestamp when the call was made
 * @param agentId the agent
 * @param projectId the project
 * @param toolName the tool
 * @param operation what was done with it
 * @param parameters the arguments, with secrets masked
 * @param allowed whether the gate allowed the call
 * @param denialReason why the call was refused
 * @param executionTimeMs how long the tool ran
 * @param resultSummary a short summary of the result
 * @param sessionId the session
 * @param status {@code COMPLETED}, {@code FAILED}, {@code REFUSED} or {@code INTERRUPTED}
 * @param errorCode why the call failed or was refused
 * @param approvedBy who approved or denied the call
 * @param principal the key or token that the call was made with
 * @param kind {@code call} or {@code administration}
 * @param correlationId the id of the request in the server's log
 * @param toolCallId the id that the model gave the call
 * @param client the program that made the call
 * @param executedBy {@code gate} or {@code client}
 * @param more fields that this version of the client does not know
 */
public record AuditRecord(
        long id,
        String requestId,
        Instant timestamp,
        String agentId,
        @Nullable String projectId,
        String toolName,
        String operation,
        Map<String, Object> parameters,
        boolean allowed,
        @Nullable String denialReason,
        @Nullable Long executionTimeMs,
        @Nullable String resultSummary,
        @Nullable String sessionId,
        String status,
        @Nullable String errorCode,
        @Nullable String approvedBy,
        @Nullable String principal,
        String kind,
        @Nullable String correlationId,
        @Nullable String toolCallId,
        @Nullable String client,
        @Nullable String executedBy,
        @JsonAnySetter Map<String, Object> more) {
    public AuditRecord {
        parameters = Copies.of(parameters);
        more = Copies.of(more);
    }
}
