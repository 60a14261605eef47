package dev.toolgate.chat.model;

import java.util.List;
import java.util.stream.Collectors;

/** One message of a conversation. */
public sealed interface Message {

    /** Instructions of the operator, role {@code system}. */
    record Instructions(String content) implements Message {}

    /** A message of the user. */
    record User(String content) implements Message {}

    /** A message of the model, including thinking and tool calls. */
    record Assistant(List<Block> blocks) implements Message {
        public Assistant {
            blocks = List.copyOf(blocks);
        }

        /** The text, without thinking and tool calls. */
        public String text() {
            return blocks.stream()
                    .filter(Block.Text.class::isInstance)
                    .map(block -> ((Block.Text) block).text())
                    .collect(Collectors.joining());
        }

        /** The tool calls, in order. */
        public List<ToolCall> toolCalls() {
            return blocks.stream()
                    .filter(ToolCall.class::isInstance)
                    .map(ToolCall.class::cast)
                    .toList();
        }
    }

    /** The result of one tool call. */
    record Tool(String toolCallId, String toolName, String content, Status status) implements Message {}

    /** The status of a tool call. */
    enum Status {
        SUCCESS,
        ERROR,
        /** It was not run: the gate or a person refused it. */
        DENIED
    }
}
