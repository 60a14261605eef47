package dev.toolgate.chat.model;

import dev.toolgate.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes messages as JSON: {@code role}, {@code content}, {@code toolCalls}, {@code toolCallId}, {@code
 * toolName}, {@code status} of results, and {@code thinking} with signatures.
 */
public final class MessageJson {
    private MessageJson() {}

    /** The message as JSON. */
    public static ObjectNode write(Message message) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        switch (message) {
            case Message.Instructions system -> json.put("role", "system").put("content", system.content());
            case Message.User user -> json.put("role", "user").put("content", user.content());
            case Message.Assistant assistant -> {
                json.put("role", "assistant").put("content", assistant.text());
                assistant.blocks().forEach(block -> add(json, block));
            }
            case Message.Tool tool ->
                json.put("role", "tool")
                        .put("content", tool.content())
                        .put("toolCallId", tool.toolCallId())
                        .put("toolName", tool.toolName())
                        .put("status", tool.status().name().toLowerCase(Locale.ROOT));
        }
        return json;
    }

    private static void add(ObjectNode json, Block block) {
        switch (block) {
            case Block.Text _ -> {} // already in content
            case Block.Thinking thinking -> {
                ObjectNode thought = json.withArray("thinking").addObject().put("text", thinking.text());
                if (thinking.signature() != null) {
                    thought.put("signature", thinking.signature());
                }
            }
            case Block.RedactedThinking redacted ->
                json.withArray("thinking").addObject().put("redacted", redacted.data());
            case ToolCall call ->
                json.withArray("toolCalls")
                        .addObject()
                        .put("id", call.id())
                        .put("name", call.name())
                        .set("input", input(call.input()));
        }
    }

    private static JsonNode input(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException malformed) {
            return Json.MAPPER.getNodeFactory().stringNode(text);
        }
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException if it is not a valid message; the exception says why
     */
    public static Message read(JsonNode json) {
        String content = text(json, "content", "");
        String role = text(json, "role", "");
        return switch (role) {
            case "system" -> new Message.Instructions(content);
            case "user" -> new Message.User(content);
            case "assistant" -> new Message.Assistant(blocks(json, content));
            case "tool" ->
                new Message.Tool(
                        required(json, "toolCallId"),
                        text(json, "toolName", ""),
                        content,
                        status(text(json, "status", "")));
            default ->
                throw new IllegalArgumentException("The role of a message must be user, assistant, tool or system.");
        };
    }

    private static List<Block> blocks(JsonNode json, String content) {
        List<Block> blocks = new ArrayList<>();
        for (JsonNode thought : json.path("thinking")) {
            String redacted = text(thought, "redacted", "");
            String signature = text(thought, "signature", "");
            blocks.add(
                    redacted.isEmpty()
                            ? new Block.Thinking(text(thought, "text", ""), signature.isEmpty() ? null : signature)
                            : new Block.RedactedThinking(redacted));
        }
        if (!content.isEmpty()) {
            blocks.add(new Block.Text(content));
        }
        for (JsonNode call : json.path("toolCalls")) {
            JsonNode input = call.path("input");
            blocks.add(new ToolCall(
                    required(call, "id"),
                    required(call, "name"),
                    input.isString() ? input.stringValue() : input.isObject() ? input.toString() : "{}"));
        }
        return blocks;
    }

    private static String required(JsonNode json, String field) {
        String value = text(json, field, "");
        if (value.isBlank()) {
            throw new IllegalArgumentException("A message of the history is missing its " + field + ".");
        }
        return value;
    }

    private static String text(JsonNode json, String field, String otherwise) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return otherwise;
        }
        if (!value.isString()) {
            throw new IllegalArgumentException("The field " + field + " of a message must be a string.");
        }
        return value.stringValue();
    }

    private static Message.Status status(String text) {
        return switch (text) {
            case "error" -> Message.Status.ERROR;
            case "denied" -> Message.Status.DENIED;
            default -> Message.Status.SUCCESS;
        };
    }
}
