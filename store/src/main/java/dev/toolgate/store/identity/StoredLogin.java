package dev.toolgate.store.identity;

import java.time.Instant;

/** A console log-in. */
public record StoredLogin(LoginOwner owner, Instant createdAt, Instant lastSeenAt) {}
