package dev.toolgate.store.directory;

import java.time.Instant;

/** A tenant, the isolation boundary for all data. */
public record Tenant(String tenantId, String name, Instant createdAt) {}
