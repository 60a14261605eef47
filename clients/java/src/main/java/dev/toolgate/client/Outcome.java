package dev.toolgate.client;

import dev.toolgate.client.model.ToolFailure;
import dev.toolgate.client.model.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The outcome of a call. */
public sealed interface Outcome {
    /** The id of the call. */
    String requestId();

    /** The whole answer of the gate, with fields that this version of the client does not know. */
    JsonNode answer();

    /** The id of the request in the server's log. */
    @Nullable
    String correlationId();

    /**
     * The result of a completed call.
     *
     * @throws DeniedException if the call was refused
     * @throws ToolFailedException if the tool failed
     * @throws ApprovalPendingException if the call has not ended
     */
    ToolResult orThrow();

    /**
     * The tool ran to its end; whether it reports success is in the result.
     *
     * @param result what it returned
     * @param correlationId the id of the request in the server's log
     */
    record Completed(ToolResult result, @Nullable String correlationId) implements Outcome {
        @Override
        public String requestId() {
            return result.requestId();
        }

        @Override
        public JsonNode answer() {
            return result.answer();
        }

        @Override
        public ToolResult orThrow() {
            return result;
        }
    }

    /**
     * The call was allowed, and the tool failed.
     *
     * @param error why
     * @param partial what the tool returned before it failed
     * @param correlationId the id of the request in the server's log
     */
    record Failed(
            ToolFailure error, ToolResult partial, @Nullable String correlationId) implements Outcome {
        @Override
        public String requestId() {
            return partial.requestId();
        }

        @Override
        public JsonNode answer() {
            return partial.answer();
        }

        @Override
        public ToolResult orThrow() {
            throw new ToolFailedException(this);
        }
    }

    /**
     * The call was refused; nothing ran.
     *
     * @param requestId the id of the call
     * @param reason why it was refused
     * @param violationType the kind of refusal, such as {@code permission_denied}
     * @param allowedTools the tools that the agent may use
     * @param suggestion what to do instead
     * @param answer the whole answer of the gate
     * @param correlationId the id of the request in the server's log
     */
    record Denied(
            String requestId,
            String reason,
            String violationType,
            List<String> allowedTools,
            String suggestion,
            JsonNode answer,
            @Nullable String correlationId)
            implements Outcome {
        /** The refusal as an exception of its kind. */
        public DeniedException exception() {
            return switch (violationType) {
                case "approval_denied" -> new ApprovalDeniedException(this);
                case "approval_timeout" -> new ApprovalTimeoutException(this);
                default -> new DeniedException(this);
            };
        }

        @Override
        public ToolResult orThrow() {
            throw exception();
        }
    }

    /**
     * The call has not ended.
     *
     * @param requestId the id of the call
     * @param status {@code pending} while it waits for an approval, {@code running}, or {@code authorized} while a permit
     *     is open
     * @param approvalId the approval request it waits for
     * @param expiresAt until when it can be approved
     * @param retryAfter how long to wait before the outcome is asked for again
     * @param answer the whole answer of the gate
     * @param correlationId the id of the request in the server's log
     */
    record Pending(
            String requestId,
            String status,
            @Nullable String approvalId,
            @Nullable Instant expiresAt,
            @Nullable Duration retryAfter,
            JsonNode answer,
            @Nullable String correlationId)
            implements Outcome {
        @Override
        public ToolResult orThrow() {
            throw new ApprovalPendingException(this);
        }
    }
}
