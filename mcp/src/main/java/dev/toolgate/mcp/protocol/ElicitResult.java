package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of a question to a person.
 *
 * @param content what the form was filled with; null without a form
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

    /** As it stands in a message. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("action", action.wireName());
        if (content != null) {
            json.set("content", content);
        }
        return json;
    }

    /** Reads it from a message; null if it has no known action. */
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
