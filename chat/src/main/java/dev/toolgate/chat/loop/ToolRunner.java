package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.tool.Danger;
import tools.jackson.databind.node.ObjectNode;

/** Runs tools for a conversation, through the gate and as the conversation's agent. */
public interface ToolRunner {
    /** Whether calls of this tool may run concurrently; an unknown tool is dangerous. */
    Danger danger(String toolName);

    /**
     * Runs one call to its end. It must return soon after cancellation, which does not interrupt it. An undecided call
     * counts as failed; a refusal is a decision.
     */
    Outcome run(ToolCall call, ObjectNode arguments, CallListener listener, Cancellation cancellation);
}
