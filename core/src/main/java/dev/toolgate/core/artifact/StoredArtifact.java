package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a stored artifact.
 *
 * @param agent who made it; {@code null} if no agent did
 * @param session the session it was made in; {@code null} if it was made in none
 * @param principal the key or token that made the call; {@code null} if not known
 * @param request the call that made it; {@code null} if none did
 * @param sha256 of its bytes, in lower-case hexadecimal digits
 */
public record StoredArtifact(
        ArtifactUri uri,
        @Nullable AgentId agent,
        @Nullable SessionId session,
        @Nullable String principal,
        @Nullable RequestId request,
        String kind,
        String mediaType,
        String name,
        long size,
        String sha256,
        Instant createdAt) {}
