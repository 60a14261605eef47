package dev.toolgate.store.directory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An agent, as people know it. */
public record Agent(
        String agentId, @Nullable String name, @Nullable String description, Instant createdAt, Instant updatedAt) {}
