package dev.toolgate.server.chat;

import dev.toolgate.core.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What somebody says to a model: the payload of {@code chat:send}. Each method gives another message. */
public record ChatMessage(ObjectNode payload) {

    /** Words for a model in a conversation. */
    public static ChatMessage of(String conversation, String provider, String model, String content) {
        return new ChatMessage(Json.MAPPER
                .createObjectNode()
                .put("conversation_id", conversation)
                .put("provider", provider)
                .put("model", model)
                .put("content", content));
    }

    /** The same with one more field. */
    public ChatMessage with(String field, String value) {
        return with(field, Json.MAPPER.getNodeFactory().stringNode(value));
    }

    /** The same with one more field. */
    public ChatMessage with(String field, JsonNode value) {
        return new ChatMessage(payload.deepCopy().set(field, value));
    }

    public String conversation() {
        return payload.path("conversation_id").asString();
    }
}
