package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Writes requests of Chat Completions. */
final class OpenAiRequest {
    private OpenAiRequest() {}

    /** The request body, with the given name for the answer's token limit. */
    static ObjectNode of(ChatRequest request, String limitName) {
        ObjectNode body = ChatBody.of(request, OpenAiRequest::add);
        body.putObject("stream_options").put("include_usage", true);
        if (request.maxTokens() != null) {
            body.put(limitName, request.maxTokens());
        }
        return body;
    }

    private static void add(Message message, ObjectNode json) {
        switch (message) {
            case Message.Instructions system -> json.put("role", "system").put("content", system.content());
            case Message.User user -> json.put("role", "user").put("content", user.content());
            case Message.Assistant assistant -> {
                json.put("role", "assistant");
                List<ToolCall> calls = assistant.toolCalls();
                if (assistant.text().isEmpty() && !calls.isEmpty()) {
                    json.putNull("content");
                } else {
                    json.put("content", assistant.text());
                }
                for (ToolCall call : calls) {
                    json.withArray("tool_calls")
                            .addObject()
                            .put("id", call.id())
                            .put("type", "function")
                            .putObject("function")
                            .put("name", ProviderToolNames.toProvider(call.name()))
                            .put("arguments", call.input());
                }
            }
            case Message.Tool tool ->
                json.put("role", "tool").put("tool_call_id", tool.toolCallId()).put("content", tool.content());
        }
    }
}
