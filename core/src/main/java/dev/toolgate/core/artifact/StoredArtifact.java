package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an artifact in the store.
 *
 * @param agent who made it; {@code null} if no agent did
 * @param session the session it was made in; {@code null} if it was made in none
 * @param principal who asked for it: the key or token with which its call was made; {@code null} if that is not known
 * @param sha256 of its bytes, in lower-case hexadecimal digits
 */
public record StoredArtifact(
        ArtifactUri uri,
        @Nullable AgentId agent,
        @Nullable SessionId session,
        @Nullable String principal,
        String kind,
        String mediaType,
        String name,
        long size,
        String sha256,
        Instant createdAt) {}
