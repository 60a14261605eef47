package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.CallListener;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Something a person who follows a conversation wants to see. The last one is an {@link End} or a {@link Failed}. */
public sealed interface ChatEvent {

    /** The answer this belongs to; one for all turns of the loop. */
    String messageId();

    /** The model is being asked. */
    record Start(String messageId, String model) implements ChatEvent {}

    /** Words of the answer. */
    record TextDelta(String messageId, String content) implements ChatEvent {}

    /** A piece of a thought. */
    record ThinkingDelta(String messageId, String content) implements ChatEvent {}

    /** A person must say yes before this tool runs. */
    record ToolConfirm(
            String messageId, String toolId, String toolName, ObjectNode input, CallListener.Question question)
            implements ChatEvent {}

    /** A tool runs. */
    record ToolStart(String messageId, String toolId, String toolName, ObjectNode input) implements ChatEvent {}

    /** Output of a tool that is still running. */
    record ToolDelta(String messageId, String toolId, String chunk) implements ChatEvent {}

    /** What came of a tool call, as the model will read it. */
    record ToolResult(
            String messageId, String toolId, Message.Status status, String result, Map<String, Object> metadata)
            implements ChatEvent {
        public ToolResult {
            metadata = Map.copyOf(metadata);
        }
    }

    /**
     * The conversation waits for its person again.
     *
     * @param stopReason why the model stopped; an answer that ran into its limit is whole, but short
     */
    record End(String messageId, String model, Usage usage, StopReason stopReason, Extent extent)
            implements ChatEvent {}

    /** The conversation could not go on. */
    record Failed(String messageId, ChatFailure failure) implements ChatEvent {}

    /** How much of an answer there is. */
    enum Extent {
        WHOLE,
        /** It was cancelled. */
        PARTIAL
    }
}
