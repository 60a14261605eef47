package dev.toolgate.store.session;

import dev.toolgate.core.policy.Session;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A session and how it came to be. */
public record KeptSession(
        Session session, Instant createdAt, @Nullable String createdBy) {}
