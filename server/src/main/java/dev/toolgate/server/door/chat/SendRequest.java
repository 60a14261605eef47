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
 * What somebody says to a model.
 *
 * @param apiKey the person's own key for the provider; {@code null} for the configured one
 * @param history what was said before, oldest first
 * @param trustLevel makes the agent's own stricter, never freer
 * @param agentId as which agent; may be left out by those whose key is an agent's
 * @param tools the only tools it is about, see {@link TurnScope}; {@code null} for all the agent may use
 * @param includeMessages whether the end of the answer brings the messages that were added
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
    private static final int LONGEST_ID = 100;
    private static final int LONGEST_MODEL = 200;

    SendRequest {
        TextFields.check("conversation_id", conversationId, LONGEST_ID);
        TextFields.check("provider", provider, LONGEST_ID);
        TextFields.check("model", model, LONGEST_MODEL);
        TextFields.checkNullable("project_id", projectId, LONGEST_ID);
        if (content.isBlank()) {
            throw new IllegalArgumentException("Field 'content' must say something.");
        }
    }

    /** The person's own key, in the form that shows itself to nobody. */
    @Nullable
    ProviderKey key() {
        return apiKey == null ? null : ProviderKey.of(apiKey);
    }

    /** Without the key, and without what was said. */
    @Override
    public String toString() {
        return "message in conversation " + conversationId;
    }
}
