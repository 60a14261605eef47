package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import tools.jackson.databind.node.ObjectNode;

/** Writes requests of Ollama's API. */
final class OllamaRequest {
    private OllamaRequest() {}

    static ObjectNode of(ChatRequest request) {
        ObjectNode body = ChatBody.of(request, OllamaRequest::add);
        if (request.thinkingTokens() != null) {
            body.put("think", true);
        }
        if (request.maxTokens() != null) {
            body.putObject("options").put("num_predict", request.maxTokens());
        }
        return body;
    }

    private static void add(Message message, ObjectNode json) {
        switch (message) {
            case Message.Instructions system -> json.put("role", "system").put("content", system.content());
            case Message.User user -> json.put("role", "user").put("content", user.content());
            case Message.Assistant assistant -> {
                json.put("role", "assistant").put("content", assistant.text());
                assistant.blocks().forEach(block -> add(block, json));
            }
            case Message.Tool tool ->
                json.put("role", "tool")
                        .put("content", tool.content())
                        .put("tool_name", ProviderToolNames.toProvider(tool.toolName()))
                        .put("tool_call_id", tool.toolCallId());
        }
    }

    private static void add(Block block, ObjectNode json) {
        switch (block) {
            case Block.Thinking thinking ->
                json.put("thinking", json.path("thinking").asString("") + thinking.text());
            case ToolCall call ->
                json.withArray("tool_calls")
                        .addObject()
                        .put("id", call.id())
                        .putObject("function")
                        .put("name", ProviderToolNames.toProvider(call.name()))
                        .set("arguments", Arguments.objectOf(call));
            case Block.Text _, Block.RedactedThinking _ -> {} // already written; not Ollama's
        }
    }
}
