package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.CallListener;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** An event of a running conversation. The last one is an {@link End} or a {@link Failed}. */
public sealed interface ChatEvent {

    /** The answer this belongs to; the same for all turns of the loop. */
    String messageId();

    /** The model was asked. */
    record Start(String messageId, String model) implements ChatEvent {}

    /** A piece of the answer's text. */
    record TextDelta(String messageId, String content) implements ChatEvent {}

    /** A piece of the model's thinking. */
    record ThinkingDelta(String messageId, String content) implements ChatEvent {}

    /** The tool needs approval before it runs. */
    record ToolConfirm(
            String messageId, String toolId, String toolName, ObjectNode input, CallListener.Question question)
            implements ChatEvent {}

    /** A tool started. */
    record ToolStart(String messageId, String toolId, String toolName, ObjectNode input) implements ChatEvent {}

    /** Output of a running tool. */
    record ToolDelta(String messageId, String toolId, String chunk) implements ChatEvent {}

    /** The result of a tool call, as sent to the model. */
    record ToolResult(
            String messageId, String toolId, Message.Status status, String result, Map<String, Object> metadata)
            implements ChatEvent {
        public ToolResult {
            metadata = Map.copyOf(metadata);
        }
    }

    /**
     * The answer ended; the conversation waits for the next message.
     *
     * @param stopReason why the model stopped; an answer cut by its token limit still counts as whole
     */
    record End(String messageId, String model, Usage usage, StopReason stopReason, Extent extent)
            implements ChatEvent {}

    /** The answer failed. */
    record Failed(String messageId, ChatFailure failure) implements ChatEvent {}

    /** How much of an answer there is. */
    enum Extent {
        WHOLE,
        /** It was cancelled. */
        PARTIAL
    }
}
