package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.core.policy.LlmPolicy;
import java.util.UUID;

/**
 * What a person said, with all that was said before it.
 *
 * @param messageId names the answer in every event
 * @param request the history and the new message, the model, the tools the agent may use
 * @param policy which models and how many tokens the session allows
 * @param meter the session's tokens
 */
public record ChatTurn(String messageId, ChatRequest request, LlmPolicy policy, TokenMeter meter) {

    /** A turn without limits. */
    public static ChatTurn of(ChatRequest request) {
        return new ChatTurn(UUID.randomUUID().toString(), request, LlmPolicy.NONE, TokenMeter.inMemory());
    }
}
