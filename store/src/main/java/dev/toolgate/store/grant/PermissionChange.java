package dev.toolgate.store.grant;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the permission history.
 *
 * @param toolName the tool, or {@code *} for a change of membership
 * @param details the terms of a grant, as JSON
 * @param previousState the state before; {@code null} if nothing was set
 */
public record PermissionChange(
        long id,
        @Nullable String agentId,
        @Nullable String groupId,
        String toolName,
        @Nullable Boolean previousState,
        boolean newState,
        String changedBy,
        Instant changedAt,
        @Nullable String reason,
        String details) {}
