package dev.toolgate.mcp.server.offer;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a client answered to {@link CallOutcome.InputRequired}. Nothing in it is to be trusted: keys may be missing or
 * made up.
 *
 * @param state what the client sent back as the state; null if nothing
 */
public record InputAnswers(
        Map<String, JsonNode> responses, @Nullable String state) {
    /** What comes with the first attempt. */
    public static final InputAnswers NONE = new InputAnswers(Map.of(), null);

    /** The answer to one request; null if there is none. */
    public @Nullable JsonNode response(String key) {
        return responses.get(key);
    }
}
