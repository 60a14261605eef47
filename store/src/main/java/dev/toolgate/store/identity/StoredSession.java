package dev.toolgate.store.identity;

import java.time.Instant;

/** Somebody logged in to the console, and the key they did it with as it is now. */
public record StoredSession(ApiKey key, Instant createdAt, Instant lastSeenAt) {}
