package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.schema.Json;
import dev.toolgate.core.tool.ToolDefinition;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A request in the words of Chat Completions. */
final class OpenAiRequest {
    private OpenAiRequest() {}

    /** The request; the limit of the answer goes by more than one name. */
    static ObjectNode of(ChatRequest request, String limitName) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("model", request.model()).put("stream", true);
        body.putObject("stream_options").put("include_usage", true);
        if (request.maxTokens() != null) {
            body.put(limitName, request.maxTokens());
        }
        ArrayNode messages = body.putArray("messages");
        if (request.systemPrompt() != null && !request.systemPrompt().isEmpty()) {
            messages.addObject().put("role", "system").put("content", request.systemPrompt());
        }
        for (Message message : request.messages()) {
            add(message, messages.addObject());
        }
        if (request.toolUse() == ChatRequest.ToolUse.ALLOWED && !request.tools().isEmpty()) {
            tools(request.tools(), body.putArray("tools"));
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
                            .put("name", ToolNames.theirs(call.name()))
                            .put("arguments", call.input());
                }
            }
            case Message.Tool tool ->
                json.put("role", "tool").put("tool_call_id", tool.toolCallId()).put("content", tool.content());
        }
    }

    /** Tools as functions; Ollama describes them in the same way. */
    static void tools(List<ToolDefinition> tools, ArrayNode json) {
        for (ToolDefinition tool : tools) {
            json.addObject()
                    .put("type", "function")
                    .putObject("function")
                    .put("name", ToolNames.theirs(tool.toolName()))
                    .put("description", tool.description())
                    .set("parameters", tool.inputSchema());
        }
    }
}
