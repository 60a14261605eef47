package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ChatEvent;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.MessageJson;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Encodes the events of one answer. Fields of chat events are in snake case, fields of the five tool events in camel
 * case, as existing clients expect.
 */
final class WireEvents {
    private final String conversation;
    private final Map<StreamedText, Outgoing.Stream> streams = new HashMap<>();

    /**
     * A text that is sent in pieces.
     *
     * @param toolId the tool call whose output it is; empty for the answer itself
     */
    private record StreamedText(ServerMessageType type, String toolId) {}

    WireEvents(String conversation) {
        this.conversation = conversation;
    }

    /**
     * @param messages the messages the answer added, if the client asked for them
     */
    Outgoing of(ChatEvent event, @Nullable List<Message> messages) {
        return switch (event) {
            case ChatEvent.Start start ->
                whole(ServerMessageType.STREAM_START, ofMessage(event).put("model", start.model()));
            case ChatEvent.TextDelta delta -> piece(ServerMessageType.TEXT_DELTA, event, delta.content());
            case ChatEvent.ThinkingDelta delta -> piece(ServerMessageType.THINKING_DELTA, event, delta.content());
            case ChatEvent.ToolConfirm asked ->
                whole(
                        ServerMessageType.TOOL_CONFIRM,
                        question(call(event, asked.toolId(), asked.toolName(), asked.input()), asked.question()));
            case ChatEvent.ToolStart started ->
                whole(ServerMessageType.TOOL_START, call(event, started.toolId(), started.toolName(), started.input()));
            case ChatEvent.ToolDelta delta -> output(event, delta);
            case ChatEvent.ToolResult result -> whole(ServerMessageType.TOOL_RESULT, result(result));
            case ChatEvent.End end -> whole(ServerMessageType.STREAM_END, end(end, messages));
            case ChatEvent.Failed failed ->
                whole(
                        ServerMessageType.ERROR,
                        ChatProblem.of(failed.failure()).payload(conversation, event.messageId()));
        };
    }

    private Outgoing whole(ServerMessageType type, ObjectNode payload) {
        return Outgoing.Whole.of(conversation, type, payload);
    }

    private Outgoing piece(ServerMessageType type, ChatEvent event, String text) {
        Outgoing.Stream stream = streams.computeIfAbsent(new StreamedText(type, ""), _ -> {
            AtomicInteger index = new AtomicInteger();
            return content -> Outgoing.envelope(
                    type, ofMessage(event).put("content", content).put("index", index.getAndIncrement()));
        });
        return new Outgoing.Piece(conversation, stream, text);
    }

    private Outgoing output(ChatEvent event, ChatEvent.ToolDelta delta) {
        Outgoing.Stream stream = streams.computeIfAbsent(
                new StreamedText(ServerMessageType.TOOL_DELTA, delta.toolId()),
                _ -> chunk -> Outgoing.envelope(
                        ServerMessageType.TOOL_DELTA,
                        ofTool(event, delta.toolId()).put("chunk", chunk)));
        return new Outgoing.Piece(conversation, stream, delta.chunk());
    }

    private ObjectNode ofMessage(ChatEvent event) {
        return Json.MAPPER
                .createObjectNode()
                .put("conversation_id", conversation)
                .put("message_id", event.messageId());
    }

    private ObjectNode ofTool(ChatEvent event, String toolId) {
        return Json.MAPPER
                .createObjectNode()
                .put("conversationId", conversation)
                .put("messageId", event.messageId())
                .put("toolId", toolId);
    }

    private ObjectNode call(ChatEvent event, String toolId, String toolName, ObjectNode input) {
        ObjectNode payload = ofTool(event, toolId).put("toolName", toolName);
        payload.set("input", input);
        return payload;
    }

    private static ObjectNode question(ObjectNode call, CallListener.Question question) {
        return call.put("reason", question.reason())
                .put("preview", question.preview())
                .put("approvalId", question.id().toString())
                .put("expiresAt", question.expiresAt().toString());
    }

    private ObjectNode result(ChatEvent.ToolResult result) {
        streams.remove(new StreamedText(ServerMessageType.TOOL_DELTA, result.toolId()));
        ObjectNode payload = ofTool(result, result.toolId())
                .put("status", result.status().name().toLowerCase(Locale.ROOT))
                .put("result", result.result());
        payload.set("metadata", Json.MAPPER.valueToTree(result.metadata()));
        return payload;
    }

    private ObjectNode end(ChatEvent.End end, @Nullable List<Message> messages) {
        ObjectNode payload = ofMessage(end).put("model", end.model());
        payload.putObject("usage")
                .put("input_tokens", end.usage().inputTokens())
                .put("output_tokens", end.usage().outputTokens());
        payload.put("stop_reason", end.stopReason().name().toLowerCase(Locale.ROOT));
        payload.put("partial", end.extent() == ChatEvent.Extent.PARTIAL);
        if (messages != null) {
            ArrayNode added = payload.putArray("messages");
            messages.forEach(message -> added.add(MessageJson.write(message)));
        }
        return payload;
    }
}
