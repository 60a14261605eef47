package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ChatFailure;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.RetryDelay;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.HttpFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An error as sent to a chat client. */
record ChatProblem(
        String code,
        String message,
        String remediation,
        boolean retryable,
        @Nullable Duration retryAfter) {

    static ChatProblem of(ErrorCode code, String message) {
        return new ChatProblem(code.name(), message, code.remediation(), code.retryable(), null);
    }

    static ChatProblem of(Failure failure) {
        return of(failure.code(), failure.message() + ".");
    }

    static ChatProblem of(HttpFailure failure) {
        ErrorCode code = failure.code();
        return new ChatProblem(
                code.name(),
                String.valueOf(failure.getMessage()),
                code.remediation(),
                code.retryable(),
                failure.retryAfter());
    }

    static ChatProblem of(ChatFailure failure) {
        return new ChatProblem(
                failure.code(), failure.message(), failure.remediation(), failure.retryable(), failure.retryAfter());
    }

    /**
     * @param messageId the answer that this error ends; {@code null} if none
     */
    ObjectNode payload(@Nullable String conversationId, @Nullable String messageId) {
        ObjectNode payload = Json.MAPPER.createObjectNode();
        payload.put("conversation_id", conversationId);
        payload.put("message_id", messageId);
        payload.put("code", code);
        payload.put("message", message);
        payload.put("remediation", remediation);
        payload.put("retryable", retryable);
        return retryAfter == null
                ? payload.putNull("retry_after_seconds")
                : payload.put("retry_after_seconds", RetryDelay.seconds(retryAfter));
    }
}
