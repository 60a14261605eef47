package dev.toolgate.core.port;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A yes to every call of a tool by an agent.
 *
 * @param session only calls of this session; {@code null} means all of the agent's
 * @param expiresAt {@code null} if it stands until it is taken back
 */
public record StandingApproval(
        UUID id,
        AgentId agent,
        String tool,
        @Nullable SessionId session,
        String by,
        @Nullable String reason,
        Instant createdAt,
        @Nullable Instant expiresAt) {}
