package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an artifact.
 *
 * @param id its id
 * @param uri where it is stored
 * @param workspaceId its workspace
 * @param agentId the agent that made it
 * @param sessionId the session it was made in
 * @param requestId the call that made it
 * @param kind for example {@code upload} or {@code tool_output}
 * @param mediaType its media type
 * @param name its name
 * @param size its size in bytes
 * @param sha256 the SHA-256 of its bytes
 * @param createdAt when it was stored
 * @param more fields that this version of the client does not know
 */
public record Artifact(
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
        @Nullable Instant createdAt,
        @JsonAnySetter Map<String, Object> more) {
    public Artifact {
        more = Copies.of(more);
    }
}
