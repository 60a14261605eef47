package dev.toolgate.mcp.server.offer;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client's answers to {@link CallOutcome.InputRequired}. Untrusted: keys may be missing or forged.
 *
 * @param state the state as the client returned it; null if none
 */
public record InputAnswers(
        Map<String, JsonNode> responses, @Nullable String state) {
    /** The first attempt has no answers. */
    public static final InputAnswers NONE = new InputAnswers(Map.of(), null);

    /** The answer to one request; null if there is none. */
    public @Nullable JsonNode response(String key) {
        return responses.get(key);
    }
}
