package dev.toolgate.core.approval;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.decision.Decision;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Approves in advance every call of a tool by an agent that is held for the given causes and no others.
 *
 * @param session only calls of this session; {@code null} means all of the agent's
 * @param expiresAt {@code null} if it holds until revoked
 * @param causes the causes it covers
 * @param granters everyone who voted yes
 */
public record StandingApproval(
        UUID id,
        AgentId agent,
        String tool,
        @Nullable SessionId session,
        String by,
        @Nullable String reason,
        Instant createdAt,
        @Nullable Instant expiresAt,
        List<Decision.Cause> causes,
        List<String> granters) {

    /** Whether it covers this request: all of its causes, and the approvers its terms require. */
    public boolean covers(Approvals.Question question) {
        return agent.equals(question.call().caller().agent())
                && tool.equals(question.tool())
                && (session == null || session.equals(question.call().caller().session()))
                && causes.containsAll(question.causes())
                && granters.size() >= question.terms().approvers()
                && switch (question.terms().approver()) {
                    case ANYBODY -> true;
                    case NOT_THE_CALLER ->
                        !granters.contains(question.call().caller().principal());
                };
    }
}
