package dev.toolgate.store.grant;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One cell of the permission matrix, as it is set; what follows from groups is not in it. */
public record Permission(
        String agentId,
        String toolName,
        boolean allowed,
        boolean requiresApproval,
        @Nullable Instant expiresAt,
        @Nullable String updatedBy,
        Instant updatedAt) {}
