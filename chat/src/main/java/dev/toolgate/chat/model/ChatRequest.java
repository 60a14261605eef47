package dev.toolgate.chat.model;

import dev.toolgate.core.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to a model.
 *
 * @param maxTokens of the answer; {@code null} leaves it to the provider
 * @param thinkingTokens the thinking budget; {@code null} leaves it to the model
 * @param key the caller's own key; {@code null} for the configured one
 */
public record ChatRequest(
        String model,
        List<Message> messages,
        @Nullable Integer maxTokens,
        @Nullable String systemPrompt,
        List<ToolDefinition> tools,
        ToolUse toolUse,
        @Nullable Integer thinkingTokens,
        @Nullable ProviderKey key) {

    /** Whether the model may call the tools it knows. */
    public enum ToolUse {
        ALLOWED,
        FORBIDDEN
    }

    public ChatRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        if (model.isBlank()) {
            throw new IllegalArgumentException("The request must name a model.");
        }
        if (maxTokens != null && maxTokens < 1) {
            throw new IllegalArgumentException("max_tokens must be at least 1.");
        }
        if (thinkingTokens != null && thinkingTokens < 1) {
            throw new IllegalArgumentException("thinking_tokens must be at least 1.");
        }
    }

    /** A plain request: no tools, no limits, the configured key. */
    public static ChatRequest of(String model, List<Message> messages) {
        return new ChatRequest(model, messages, null, null, List.of(), ToolUse.ALLOWED, null, null);
    }

    /** The same request with other messages. */
    public ChatRequest withMessages(List<Message> newMessages) {
        return new ChatRequest(model, newMessages, maxTokens, systemPrompt, tools, toolUse, thinkingTokens, key);
    }

    /** The same request with a system prompt. */
    public ChatRequest withSystemPrompt(@Nullable String newSystemPrompt) {
        return new ChatRequest(model, messages, maxTokens, newSystemPrompt, tools, toolUse, thinkingTokens, key);
    }

    /** The same request with these tools. */
    public ChatRequest withTools(List<ToolDefinition> newTools) {
        return new ChatRequest(model, messages, maxTokens, systemPrompt, newTools, toolUse, thinkingTokens, key);
    }

    /** The same request, but the model must answer in text. */
    public ChatRequest withoutToolUse() {
        return new ChatRequest(model, messages, maxTokens, systemPrompt, tools, ToolUse.FORBIDDEN, thinkingTokens, key);
    }

    /** The same request with another limit for the answer. */
    public ChatRequest withMaxTokens(@Nullable Integer newMaxTokens) {
        return new ChatRequest(model, messages, newMaxTokens, systemPrompt, tools, toolUse, thinkingTokens, key);
    }

    /** The same request with a thinking budget. */
    public ChatRequest withThinkingTokens(@Nullable Integer newThinkingTokens) {
        return new ChatRequest(model, messages, maxTokens, systemPrompt, tools, toolUse, newThinkingTokens, key);
    }

    /** The same request with the caller's own key. */
    public ChatRequest withKey(@Nullable ProviderKey newKey) {
        return new ChatRequest(model, messages, maxTokens, systemPrompt, tools, toolUse, thinkingTokens, newKey);
    }
}
