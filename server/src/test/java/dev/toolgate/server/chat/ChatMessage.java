package dev.toolgate.server.chat;

import dev.toolgate.core.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The payload of {@code chat:send}; immutable. */
public record ChatMessage(ObjectNode payload) {

    /** A message in a conversation. */
    public static ChatMessage of(String conversation, String provider, String model, String content) {
        return new ChatMessage(Json.MAPPER
                .createObjectNode()
                .put("conversation_id", conversation)
                .put("provider", provider)
                .put("model", model)
                .put("content", content));
    }

    /** A copy with one more field. */
    public ChatMessage with(String field, String value) {
        return with(field, Json.MAPPER.getNodeFactory().stringNode(value));
    }

    /** A copy with one more field. */
    public ChatMessage with(String field, JsonNode value) {
        return new ChatMessage(payload.deepCopy().set(field, value));
    }

    public String conversation() {
        return payload.path("conversation_id").asString();
    }
}
