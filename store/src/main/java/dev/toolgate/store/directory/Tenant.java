package dev.toolgate.store.directory;

import java.time.Instant;

/** A tenant: the boundary that nothing crosses. */
public record Tenant(String tenantId, String name, Instant createdAt) {}
