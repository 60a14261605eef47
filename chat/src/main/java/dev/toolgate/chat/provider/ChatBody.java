package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolDefinition;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The common part of requests to Chat Completions and Ollama: messages, and tools as functions. */
final class ChatBody {
    private ChatBody() {}

    /** A request body without the answer's settings. */
    static ObjectNode of(ChatRequest request, BiConsumer<Message, ObjectNode> writing) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("model", request.model()).put("stream", true);
        ArrayNode messages = body.putArray("messages");
        if (request.systemPrompt() != null && !request.systemPrompt().isEmpty()) {
            messages.addObject().put("role", "system").put("content", request.systemPrompt());
        }
        for (Message message : request.messages()) {
            writing.accept(message, messages.addObject());
        }
        if (request.toolUse() == ChatRequest.ToolUse.ALLOWED && !request.tools().isEmpty()) {
            ArrayNode tools = body.putArray("tools");
            request.tools().forEach(tool -> add(tool, tools.addObject()));
        }
        return body;
    }

    private static void add(ToolDefinition tool, ObjectNode json) {
        json.put("type", "function")
                .putObject("function")
                .put("name", ProviderToolNames.toProvider(tool.toolName()))
                .put("description", tool.description())
                .set("parameters", tool.inputSchema());
    }
}
