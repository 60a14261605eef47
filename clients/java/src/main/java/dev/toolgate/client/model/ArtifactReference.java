package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Output of a call that was stored as an artifact.
 *
 * @param kind for example {@code tool_output} or {@code image}
 * @param name its name
 * @param mediaType its media type
 * @param size its size in bytes
 * @param uri where it is stored
 * @param more fields that this version of the client does not know
 */
public record ArtifactReference(
        String kind,
        String name,
        String mediaType,
        long size,
        @Nullable String uri,
        @JsonAnySetter Map<String, Object> more) {
    public ArtifactReference {
        more = Copies.of(more);
    }
}
