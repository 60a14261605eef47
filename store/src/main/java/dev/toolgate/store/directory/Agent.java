package dev.toolgate.store.directory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A registered agent.
 *
 * @param trustLevel which of its calls need approval in conversations: supervised, guided or autonomous
 */
public record Agent(
        String agentId,
        @Nullable String name,
        @Nullable String description,
        String trustLevel,
        Instant createdAt,
        Instant updatedAt) {}
