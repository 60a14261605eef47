package dev.toolgate.server.chat;

import dev.toolgate.core.json.Json;
import tools.jackson.databind.JsonNode;

/** One received event. */
public record ChatEnvelope(String type, JsonNode payload, String timestamp) {

    static ChatEnvelope parse(String text) {
        JsonNode json = Json.MAPPER.readTree(text);
        return new ChatEnvelope(
                json.path("type").asString(),
                json.path("payload"),
                json.path("timestamp").asString());
    }

    /** A field of the payload as text; empty if there is none. */
    public String text(String field) {
        return payload.path(field).asString("");
    }

    /** The conversation of the event; tool events have another field name. */
    public String conversation() {
        return payload.path("conversation_id").asString(text("conversationId"));
    }

    boolean ends(String conversation) {
        return conversation().equals(conversation)
                && (type.equals("chat:stream-end") || (type.equals("chat:error") && payload.hasNonNull("message_id")));
    }
}
