package dev.toolgate.core.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a call came from: the ids under which its caller, and everybody on the way, knows it. They decide nothing; they go
 * to the record, the log lines and the telemetry, so that each of them leads to the others.
 *
 * @param correlationId the request it came with
 * @param conversationId the chat in which a model asked for it
 * @param messageId the message of that chat
 * @param toolCallId the id that the model gave the call
 * @param taskId the task of an agent host
 * @param stepId the step of that task
 * @param clientTimestamp when the call was made by its caller's clock
 */
public record CallContext(
        @Nullable String correlationId,
        @Nullable String conversationId,
        @Nullable String messageId,
        @Nullable String toolCallId,
        @Nullable String taskId,
        @Nullable String stepId,
        @Nullable Instant clientTimestamp) {

    /** Nothing is known. */
    public static final CallContext NONE = new CallContext(null, null, null, null, null, null, null);

    /** The request it came with. */
    public CallContext correlatedBy(@Nullable String id) {
        return new CallContext(id, conversationId, messageId, toolCallId, taskId, stepId, clientTimestamp);
    }

    /** Part of a message of a chat. */
    public CallContext inChat(String conversation, String message) {
        return new CallContext(correlationId, conversation, message, toolCallId, taskId, stepId, clientTimestamp);
    }

    /** Known to the model that asked for it by this id. */
    public CallContext askedFor(String toolCall) {
        return new CallContext(correlationId, conversationId, messageId, toolCall, taskId, stepId, clientTimestamp);
    }

    /** A step of a task of an agent host. */
    public CallContext inTask(@Nullable String task, @Nullable String step) {
        return new CallContext(correlationId, conversationId, messageId, toolCallId, task, step, clientTimestamp);
    }

    /** Made at this time by its caller's clock. */
    public CallContext sentAt(@Nullable Instant time) {
        return new CallContext(correlationId, conversationId, messageId, toolCallId, taskId, stepId, time);
    }
}
