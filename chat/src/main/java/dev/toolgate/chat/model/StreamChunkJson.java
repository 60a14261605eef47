package dev.toolgate.chat.model;

import dev.toolgate.core.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes chunks as JSON: always {@code type, content, message_id, index}; {@code usage, model, toolId, toolName} if
 * any.
 */
public final class StreamChunkJson {
    private StreamChunkJson() {}

    /** The chunk as JSON. */
    public static ObjectNode write(StreamChunk chunk) {
        return switch (chunk) {
            case StreamChunk.Start start -> of("start", start, "").put("model", start.model());
            case StreamChunk.Text text -> of("chunk", text, text.content());
            case StreamChunk.Thinking thinking -> of("thinking", thinking, thinking.content());
            case StreamChunk.ToolCallStart call ->
                of("tool_call_start", call, "").put("toolId", call.toolId()).put("toolName", call.toolName());
            case StreamChunk.ToolCallDelta call ->
                of("tool_call_delta", call, call.content()).put("toolId", call.toolId());
            case StreamChunk.ToolCallEnd call -> of("tool_call_end", call, "").put("toolId", call.toolId());
            case StreamChunk.End end -> {
                ObjectNode json = of("end", end, "");
                json.putObject("usage")
                        .put("input_tokens", end.usage().inputTokens())
                        .put("output_tokens", end.usage().outputTokens());
                yield json.put("model", end.model());
            }
            case StreamChunk.Broken broken ->
                of("error", broken, broken.failure().message());
        };
    }

    private static ObjectNode of(String type, StreamChunk chunk, String content) {
        return Json.MAPPER
                .createObjectNode()
                .put("type", type)
                .put("content", content)
                .put("message_id", chunk.messageId())
                .put("index", chunk.index());
    }
}
