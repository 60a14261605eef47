package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.StoredArtifact;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An artifact as a JSON response. */
record ArtifactAnswer(
        String id,
        String uri,
        String workspaceId,
        @Nullable String agentId,
        @Nullable String sessionId,
        @Nullable String requestId,
        String kind,
        String mediaType,
        String name,
        long size,
        String sha256,
        Instant createdAt) {

    static ArtifactAnswer of(StoredArtifact artifact) {
        return new ArtifactAnswer(
                artifact.uri().id(),
                artifact.uri().toString(),
                artifact.uri().workspace().value(),
                artifact.agent() == null ? null : artifact.agent().value(),
                artifact.session() == null ? null : artifact.session().value(),
                artifact.request() == null ? null : artifact.request().value(),
                artifact.kind(),
                artifact.mediaType(),
                artifact.name(),
                artifact.size(),
                artifact.sha256(),
                artifact.createdAt());
    }
}
