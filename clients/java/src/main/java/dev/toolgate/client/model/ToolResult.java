package dev.toolgate.client.model;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a tool returned.
 *
 * @param requestId the id of the call
 * @param success whether the tool reports success
 * @param data the text for a model
 * @param structured the same for programs; a missing node if the tool returned none
 * @param metadata additional facts
 * @param artifacts output that was stored
 * @param logged whether the call was recorded
 * @param answer the whole answer, with fields that this version of the client does not know
 */
public record ToolResult(
        String requestId,
        boolean success,
        String data,
        JsonNode structured,
        JsonNode metadata,
        List<ArtifactReference> artifacts,
        boolean logged,
        JsonNode answer) {}
