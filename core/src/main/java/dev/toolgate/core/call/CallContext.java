package dev.toolgate.core.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Correlating ids of a call. They permit nothing; they are in the audit record, the log and the telemetry, so that each
 * leads to the others.
 *
 * @param correlationId the request it came with
 * @param conversationId the chat in which a model made the call
 * @param messageId the message in that chat
 * @param toolCallId the id that the model gave the call
 * @param taskId the task of an agent host
 * @param stepId the step of that task
 * @param clientTimestamp when the call was made by its caller's clock
 * @param client the program that made it, as it identifies itself, for example {@code claude-code/2.1}
 * @param undoes the audit record whose change it undoes; the undo form of its tool is used
 */
public record CallContext(
        @Nullable String correlationId,
        @Nullable String conversationId,
        @Nullable String messageId,
        @Nullable String toolCallId,
        @Nullable String taskId,
        @Nullable String stepId,
        @Nullable Instant clientTimestamp,
        @Nullable String client,
        @Nullable String undoes) {

    /** No ids. */
    public static final CallContext NONE = new CallContext(null, null, null, null, null, null, null, null, null);

    /** With this correlation id. */
    public CallContext correlatedBy(@Nullable String id) {
        return new CallContext(
                id, conversationId, messageId, toolCallId, taskId, stepId, clientTimestamp, client, undoes);
    }

    /** In this chat and message, where known. */
    public CallContext inChat(@Nullable String conversation, @Nullable String message) {
        return new CallContext(
                correlationId, conversation, message, toolCallId, taskId, stepId, clientTimestamp, client, undoes);
    }

    /** With the id that the model gave the call. */
    public CallContext withToolCallId(String toolCall) {
        return new CallContext(
                correlationId, conversationId, messageId, toolCall, taskId, stepId, clientTimestamp, client, undoes);
    }

    /** With the id that the model gave the call, if it is known. */
    public CallContext withToolCallIdIfKnown(@Nullable String toolCall) {
        return toolCall == null ? this : withToolCallId(toolCall);
    }

    /** In this step of an agent host's task. */
    public CallContext inTask(@Nullable String task, @Nullable String step) {
        return new CallContext(
                correlationId, conversationId, messageId, toolCallId, task, step, clientTimestamp, client, undoes);
    }

    /** Sent at this time by the caller's clock. */
    public CallContext sentAt(@Nullable Instant time) {
        return new CallContext(
                correlationId, conversationId, messageId, toolCallId, taskId, stepId, time, client, undoes);
    }

    /** Made by this program, as it identifies itself. */
    public CallContext withClient(@Nullable String newClient) {
        return new CallContext(
                correlationId,
                conversationId,
                messageId,
                toolCallId,
                taskId,
                stepId,
                clientTimestamp,
                newClient,
                undoes);
    }

    /** Undoing the change of this audit record. */
    public CallContext undoing(String record) {
        return new CallContext(
                correlationId, conversationId, messageId, toolCallId, taskId, stepId, clientTimestamp, client, record);
    }
}
