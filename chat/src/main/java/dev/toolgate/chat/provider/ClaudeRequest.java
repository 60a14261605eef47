package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes requests of the Messages API. */
final class ClaudeRequest {
    // The API requires a limit in every request; every recent model accepts this one.
    private static final int DEFAULT_MAX_TOKENS = 8192;
    private static final int MIN_THINKING = 1024;

    private ClaudeRequest() {}

    static ObjectNode of(ChatRequest request) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        int maxTokens = request.maxTokens() == null ? DEFAULT_MAX_TOKENS : request.maxTokens();
        Integer thinking = request.thinkingTokens();
        body.put("model", request.model()).put("stream", true);
        if (thinking != null) {
            int budget = Math.max(MIN_THINKING, thinking);
            // Thinking counts as output; without a caller's limit it must not use up the answer's.
            maxTokens = request.maxTokens() == null ? maxTokens + budget : maxTokens;
            if (budget < maxTokens) {
                body.putObject("thinking").put("type", "enabled").put("budget_tokens", budget);
            }
        }
        body.put("max_tokens", maxTokens);
        String system = system(request);
        if (!system.isEmpty()) {
            body.put("system", system);
        }
        messages(request.messages(), body.putArray("messages"));
        tools(request, body);
        return body;
    }

    private static String system(ChatRequest request) {
        List<String> parts = new ArrayList<>();
        if (request.systemPrompt() != null) {
            parts.add(request.systemPrompt());
        }
        for (Message message : request.messages()) {
            if (message instanceof Message.Instructions instructions) {
                parts.add(instructions.content());
            }
        }
        return String.join("\n\n", parts);
    }

    private static void messages(List<Message> messages, ArrayNode json) {
        ArrayNode results = null; // results of one answer go into one message
        for (Message message : messages) {
            if (message instanceof Message.Tool tool) {
                results = results == null ? json.addObject().put("role", "user").putArray("content") : results;
                result(tool, results.addObject());
                continue;
            }
            results = null;
            switch (message) {
                case Message.User user -> {
                    if (!user.content().isBlank()) {
                        json.addObject().put("role", "user").put("content", user.content());
                    }
                }
                case Message.Assistant assistant -> {
                    ArrayNode blocks = Json.MAPPER.createArrayNode();
                    assistant.blocks().forEach(block -> add(block, blocks));
                    if (!blocks.isEmpty()) {
                        json.addObject().put("role", "assistant").set("content", blocks);
                    }
                }
                case Message.Instructions _, Message.Tool _ -> {} // written elsewhere
            }
        }
    }

    private static void result(Message.Tool tool, ObjectNode json) {
        json.put("type", "tool_result").put("tool_use_id", tool.toolCallId());
        if (!tool.content().isEmpty()) {
            json.put("content", tool.content());
        }
        if (tool.status() != Message.Status.SUCCESS) {
            json.put("is_error", true);
        }
    }

    private static void add(Block block, ArrayNode json) {
        switch (block) {
            case Block.Text text -> {
                if (!text.text().isBlank()) {
                    json.addObject().put("type", "text").put("text", text.text());
                }
            }
            case Block.Thinking thinking -> {
                if (thinking.signature() != null) { // thinking of other providers is not accepted
                    json.addObject()
                            .put("type", "thinking")
                            .put("thinking", thinking.text())
                            .put("signature", thinking.signature());
                }
            }
            case Block.RedactedThinking redacted ->
                json.addObject().put("type", "redacted_thinking").put("data", redacted.data());
            case ToolCall call ->
                json.addObject()
                        .put("type", "tool_use")
                        .put("id", call.id())
                        .put("name", ProviderToolNames.toProvider(call.name()))
                        .set("input", Arguments.objectOf(call));
        }
    }

    private static void tools(ChatRequest request, ObjectNode body) {
        if (!request.tools().isEmpty()) {
            ArrayNode tools = body.putArray("tools");
            for (ToolDefinition tool : request.tools()) {
                tools.addObject()
                        .put("name", ProviderToolNames.toProvider(tool.toolName()))
                        .put("description", tool.description())
                        .set("input_schema", tool.inputSchema());
            }
        } else {
            usedBefore(request.messages(), body);
        }
        if (body.has("tools") && (request.tools().isEmpty() || request.toolUse() == ChatRequest.ToolUse.FORBIDDEN)) {
            body.putObject("tool_choice").put("type", "none");
        }
    }

    // The API refuses a history with tool calls unless those tools are declared, whether or not they may be used.
    private static void usedBefore(List<Message> messages, ObjectNode body) {
        TreeSet<String> names = new TreeSet<>();
        for (Message message : messages) {
            if (message instanceof Message.Assistant assistant) {
                assistant.toolCalls().forEach(call -> names.add(ProviderToolNames.toProvider(call.name())));
            }
        }
        for (String name : names) {
            body.withArray("tools")
                    .addObject()
                    .put("name", name)
                    .putObject("input_schema")
                    .put("type", "object");
        }
    }
}
