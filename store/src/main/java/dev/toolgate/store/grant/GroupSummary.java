package dev.toolgate.store.grant;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A group of agents, and the number of its members. */
public record GroupSummary(String groupId, @Nullable String description, int members, Instant createdAt) {}
