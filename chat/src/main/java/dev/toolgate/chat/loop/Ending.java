package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a turn ended.
 *
 * @param added the messages that come after those of the request, tool calls and results included
 * @param turns how often the model was asked
 * @param failure why it could not go on; {@code null} if it came to its end or was cancelled
 */
public record Ending(
        ChatEvent.Extent extent,
        List<Message> added,
        Usage usage,
        int turns,
        @Nullable ChatFailure failure) {
    public Ending {
        added = List.copyOf(added);
    }
}
