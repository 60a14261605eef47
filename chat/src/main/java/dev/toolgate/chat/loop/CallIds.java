package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Lets every tool call of one answer go by an id of its own. Some servers begin to count anew each time they are asked,
 * and a person's yes to one call must not be taken for a yes to another.
 */
final class CallIds {
    private final Set<String> taken = new HashSet<>();

    /** What the model said, with new ids for calls whose own is taken. */
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
