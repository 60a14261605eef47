package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Makes tool call ids unique within one answer. Some servers restart their numbering with every request, and an
 * approval of one call must not apply to another.
 */
final class CallIds {
    private final Set<String> taken = new HashSet<>();

    /** The message with new ids for calls whose id is already used. */
    Message.Assistant distinct(Message.Assistant said) {
        return new Message.Assistant(said.blocks().stream().map(this::distinct).toList());
    }

    private Block distinct(Block block) {
        if (!(block instanceof ToolCall call) || taken.add(call.id())) {
            return block;
        }
        String fresh = "call_" + UUID.randomUUID().toString().replace("-", "");
        taken.add(fresh);
        return new ToolCall(fresh, call.name(), call.input());
    }
}
