package dev.toolgate.store.session;

import dev.toolgate.core.policy.Session;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A policy session, with its creation time and creator. */
public record StoredSession(
        Session session, Instant createdAt, @Nullable String createdBy) {}
