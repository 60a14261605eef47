package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.tool.Danger;
import tools.jackson.databind.node.ObjectNode;

/** Runs tools for a conversation: the gate, as the conversation's agent. */
public interface ToolRunner {
    /** Whether calls of this tool may run beside others; a tool that is not known is dangerous. */
    Danger danger(String toolName);

    /**
     * Runs one call to its end. It ends soon after the cancellation, and is not interrupted for it. A call that was not
     * decided has failed; a refusal is a decision.
     */
    Outcome run(ToolCall call, ObjectNode arguments, CallListener listener, Cancellation cancellation);
}
