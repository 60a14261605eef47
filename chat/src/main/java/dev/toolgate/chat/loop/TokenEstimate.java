package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.tool.ToolDefinition;
import org.jspecify.annotations.Nullable;

/** Estimates tokens: one for every four characters, which is rarely too high. */
final class TokenEstimate {
    private static final int CHARACTERS = 4;

    private TokenEstimate() {}

    static long of(ChatRequest request) {
        long characters = length(request.systemPrompt());
        for (ToolDefinition tool : request.tools()) {
            characters +=
                    tool.description().length() + tool.inputSchema().toString().length();
        }
        for (Message message : request.messages()) {
            characters += length(message);
        }
        return characters / CHARACTERS;
    }

    static long of(Message.Assistant answer) {
        return length(answer) / CHARACTERS;
    }

    private static long length(Message message) {
        return switch (message) {
            case Message.Instructions instructions -> instructions.content().length();
            case Message.User user -> user.content().length();
            case Message.Tool tool -> tool.content().length();
            case Message.Assistant assistant ->
                assistant.blocks().stream().mapToLong(TokenEstimate::length).sum();
        };
    }

    private static long length(Block block) {
        return switch (block) {
            case Block.Text text -> text.text().length();
            case Block.Thinking thinking -> thinking.text().length();
            case Block.RedactedThinking redacted -> redacted.data().length();
            case ToolCall call -> call.name().length() + call.input().length();
        };
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
