package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A person's response to an elicitation.
 *
 * @param content the values of the form; null without a form
 */
public record ElicitResult(Action action, @Nullable ObjectNode content) {

    /** What the person did. */
    public enum Action {
        ACCEPT("accept"),
        DECLINE("decline"),
        CANCEL("cancel");

        private final String wireName;

        Action(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** The JSON of the result. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("action", action.wireName());
        if (content != null) {
            json.set("content", content);
        }
        return json;
    }

    /** Reads a result; null if it has no known action. */
    public static @Nullable ElicitResult read(@Nullable JsonNode json) {
        if (json == null) {
            return null;
        }
        String name = json.path("action").asString("");
        for (Action action : Action.values()) {
            if (action.wireName().equals(name)) {
                return new ElicitResult(action, json.path("content") instanceof ObjectNode content ? content : null);
            }
        }
        return null;
    }
}
