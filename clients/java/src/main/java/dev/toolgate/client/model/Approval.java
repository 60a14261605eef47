package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An approval request, with secrets masked.
 *
 * @param approvalId its id
 * @param state {@code pending}, {@code approved}, {@code denied}, {@code timed_out} or {@code withdrawn}
 * @param requestId the id of the held call
 * @param agentId the agent that made the call
 * @param sessionId the session of the call
 * @param projectId the project of the call
 * @param principal who made the call
 * @param toolName the tool
 * @param operation what is done with it
 * @param parameters the arguments, with secrets masked
 * @param reason why an approval is needed
 * @param preview what the call would do, if its tool can tell
 * @param askedAt when the call was made
 * @param expiresAt until when it can be answered
 * @param answeredAt when it was answered
 * @param answeredBy who answered
 * @param answerReason the reason they gave
 * @param scope the scope of the approval
 * @param approvalsNeeded the number of different people who must approve
 * @param more fields that this version of the client does not know
 */
public record Approval(
        String approvalId,
        String state,
        String requestId,
        String agentId,
        @Nullable String sessionId,
        @Nullable String projectId,
        String principal,
        String toolName,
        String operation,
        Map<String, Object> parameters,
        String reason,
        @Nullable String preview,
        Instant askedAt,
        Instant expiresAt,
        @Nullable Instant answeredAt,
        @Nullable String answeredBy,
        @Nullable String answerReason,
        @Nullable String scope,
        int approvalsNeeded,
        @JsonAnySetter Map<String, Object> more) {
    public Approval {
        parameters = Copies.of(parameters);
        more = Copies.of(more);
    }
}
