package dev.toolgate.chat.model;

import java.util.List;
import java.util.stream.Collectors;

/** One message of a conversation. */
public sealed interface Message {

    /** What the operator tells the model; the role is {@code system}. */
    record Instructions(String content) implements Message {}

    /** What the person said. */
    record User(String content) implements Message {}

    /** What the model said, its thoughts and its tool calls included. */
    record Assistant(List<Block> blocks) implements Message {
        public Assistant {
            blocks = List.copyOf(blocks);
        }

        /** The words for the reader, without thoughts and calls. */
        public String text() {
            return blocks.stream()
                    .filter(Block.Text.class::isInstance)
                    .map(block -> ((Block.Text) block).text())
                    .collect(Collectors.joining());
        }

        /** The tools the model wants to use, in its order. */
        public List<ToolCall> toolCalls() {
            return blocks.stream()
                    .filter(ToolCall.class::isInstance)
                    .map(ToolCall.class::cast)
                    .toList();
        }
    }

    /** What came of one tool call. */
    record Tool(String toolCallId, String toolName, String content, Status status) implements Message {}

    /** Whether a tool did what it was asked. */
    enum Status {
        SUCCESS,
        ERROR,
        /** It was not run: the gate or a person said no. */
        DENIED
    }
}
