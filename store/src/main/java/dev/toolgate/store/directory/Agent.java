package dev.toolgate.store.directory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An agent, as people know it.
 *
 * @param trustLevel how far those who talk with it let it go by itself: supervised, guided or autonomous
 */
public record Agent(
        String agentId,
        @Nullable String name,
        @Nullable String description,
        String trustLevel,
        Instant createdAt,
        Instant updatedAt) {}
