package dev.toolgate.server.door.chat;

import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.server.door.TextFields;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The payload of a message to a model.
 *
 * @param apiKey the person's own API key for the provider; {@code null} for the configured one
 * @param history the earlier messages, oldest first
 * @param trustLevel can only be stricter than the agent's own level
 * @param agentId the agent of the conversation; may be left out with an agent's key
 * @param tools the tools it is limited to, see {@link TurnScope}; {@code null} for all the agent may use
 * @param includeMessages whether the end of the answer includes the added messages
 */
record SendRequest(
        String conversationId,
        String content,
        String provider,
        String model,
        @Nullable String systemPrompt,
        @Nullable String apiKey,
        @Nullable List<ObjectNode> history,
        @Nullable Integer maxTokens,
        @Nullable Integer thinkingTokens,
        @Nullable TrustLevel trustLevel,
        @Nullable SessionId sessionId,
        @Nullable AgentId agentId,
        @Nullable String projectId,
        @Nullable JsonNode tools,
        @Nullable Boolean includeMessages) {
    private static final int MAX_ID = 100;
    private static final int MAX_MODEL = 200;

    SendRequest {
        TextFields.check("conversation_id", conversationId, MAX_ID);
        TextFields.check("provider", provider, MAX_ID);
        TextFields.check("model", model, MAX_MODEL);
        TextFields.checkNullable("project_id", projectId, MAX_ID);
        if (content.isBlank()) {
            throw new IllegalArgumentException("Field 'content' must not be blank.");
        }
    }

    /** The person's own key, wrapped so that it is never logged. */
    @Nullable
    ProviderKey key() {
        return apiKey == null ? null : ProviderKey.of(apiKey);
    }

    /** Leaves out the key and the content. */
    @Override
    public String toString() {
        return "message in conversation " + conversationId;
    }
}
