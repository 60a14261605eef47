package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.core.policy.LlmPolicy;
import java.util.UUID;

/**
 * A user's message with the conversation's history.
 *
 * @param messageId names the answer in every event
 * @param request history and new message, model, and available tools
 * @param policy the session's limits on models and tokens
 * @param meter of the session's tokens
 */
public record ChatTurn(String messageId, ChatRequest request, LlmPolicy policy, TokenMeter meter) {

    /** A turn without limits. */
    public static ChatTurn of(ChatRequest request) {
        return new ChatTurn(UUID.randomUUID().toString(), request, LlmPolicy.NONE, TokenMeter.inMemory());
    }
}
