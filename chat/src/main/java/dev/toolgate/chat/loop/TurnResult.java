package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a turn ended.
 *
 * @param added the new messages, including tool calls and results
 * @param turns how many requests were sent to the model
 * @param failure {@code null} if it completed or was cancelled
 */
public record TurnResult(
        ChatEvent.Extent extent,
        List<Message> added,
        Usage usage,
        int turns,
        @Nullable ChatFailure failure) {
    public TurnResult {
        added = List.copyOf(added);
    }
}
