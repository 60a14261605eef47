package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.CallContext;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The ids of a call as telemetry attributes, with the same names as in its audit record. */
final class ContextAttributes {
    private ContextAttributes() {}

    /** Passes every id that is set to the sink. */
    static void add(CallContext context, BiConsumer<String, String> sink) {
        add(sink, "correlation_id", context.correlationId());
        add(sink, "conversation_id", context.conversationId());
        add(sink, "message_id", context.messageId());
        add(sink, "tool_call_id", context.toolCallId());
        add(sink, "task_id", context.taskId());
        add(sink, "step_id", context.stepId());
        add(sink, "client", context.client());
    }

    private static void add(BiConsumer<String, String> sink, String name, @Nullable String value) {
        if (value != null) {
            sink.accept(name, value);
        }
    }
}
