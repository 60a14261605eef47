package dev.toolgate.server.door.chat;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonBody;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.server.door.TextFields;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a client sends. */
sealed interface Incoming {
    int LONGEST_CONVERSATION = 100;

    /** The conversation it is about, if it says so. */
    @Nullable
    String conversationId();

    /** A message for a model. */
    record Send(SendRequest request) implements Incoming {
        @Override
        public String conversationId() {
            return request.conversationId();
        }
    }

    /** The running answer of a conversation is not wanted any more. */
    record Cancel(String conversationId) implements Incoming {}

    /**
     * A person's answer to a question.
     *
     * @param conversationId needed only where two conversations have a tool call of that id
     * @param approvalId the question they saw; without it, whichever is open about the tool call
     */
    record Approve(
            String toolId,
            boolean approved,
            @Nullable String conversationId,
            @Nullable String approvalId,
            @Nullable String reason,
            ApprovalDesk.@Nullable Scope scope)
            implements Incoming {
        private static final int LONGEST_ID = 100;
        private static final int LONGEST_TOOL_ID = 2_000; // models give them, and some put a lot in
        private static final int LONGEST_REASON = 2_000;

        public Approve {
            TextFields.check("toolId", toolId, LONGEST_TOOL_ID);
            TextFields.checkNullable("conversationId", conversationId, LONGEST_ID);
            TextFields.checkNullable("approvalId", approvalId, LONGEST_ID);
            TextFields.checkNullable("reason", reason, LONGEST_REASON);
        }

        /**
         * The question that is meant.
         *
         * @param open those about the tool call
         * @throws BadRequest if it is not one of them, or they do not say which
         */
        UUID among(List<UUID> open) {
            if (open.isEmpty()) {
                throw new BadRequest("No question is open about tool call '" + toolId
                        + "'; it may have been answered, timed out or cancelled.");
            }
            if (approvalId != null) {
                return open.stream()
                        .filter(id -> id.toString().equals(approvalId))
                        .findFirst()
                        .orElseThrow(
                                () -> new BadRequest("The question '" + approvalId + "' is not open about tool call '"
                                        + toolId + "'; another one is, which wants an answer of its own."));
            }
            if (open.size() > 1) {
                throw new BadRequest("Questions are open about two tool calls '" + toolId
                        + "'; name one in the field 'approvalId', or the conversation in the field 'conversationId'.");
            }
            return open.getFirst();
        }
    }

    /**
     * Reads a message of the client.
     *
     * @throws BadRequest if it is none; says what is wrong with it
     */
    static Incoming read(String message) {
        return read(JsonBody.parse(message));
    }

    /**
     * The conversation that a message names, also where it is wrong otherwise: what is wrong with it is told to that
     * conversation.
     */
    static @Nullable String conversationOf(ObjectNode message) {
        JsonNode payload = message.path("payload");
        JsonNode named = payload.path("conversation_id").isMissingNode()
                ? payload.path("conversationId")
                : payload.path("conversation_id");
        String id = named.isString() ? named.stringValue() : "";
        return id.isBlank() || id.length() > LONGEST_CONVERSATION ? null : id;
    }

    /** Reads a message that has been parsed. */
    static Incoming read(ObjectNode message) {
        Envelope envelope = Shapes.ENVELOPE.read(message);
        return switch (envelope.type()) {
            case "chat:send" -> new Send(Shapes.SEND.read(envelope.payload()));
            case "chat:cancel" -> Shapes.CANCEL.read(envelope.payload());
            case "chat:tool-approve" -> Shapes.APPROVE.read(envelope.payload());
            default ->
                throw new BadRequest(
                        "The type of a message must be chat:send, chat:cancel or chat:tool-approve; this one is of another.");
        };
    }

    /** What every message is wrapped in; its time is the client's own affair. */
    record Envelope(
            String type, ObjectNode payload, @Nullable String timestamp) {}

    /** The shapes of what is read. */
    final class Shapes {
        private static final JsonRecord<Envelope> ENVELOPE = JsonRecord.of(Envelope.class);
        private static final JsonRecord<SendRequest> SEND = JsonRecord.of(SendRequest.class);
        private static final JsonRecord<Cancel> CANCEL = JsonRecord.of(Cancel.class);
        private static final JsonRecord<Approve> APPROVE = JsonRecord.of(Approve.class, FieldNames.AS_WRITTEN);

        private Shapes() {}
    }
}
