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

/** A message from a chat client. */
sealed interface Incoming {
    int MAX_CONVERSATION_ID = 100;

    /** The conversation it names, if any. */
    @Nullable
    String conversationId();

    /** A message to a model. */
    record Send(SendRequest request) implements Incoming {
        @Override
        public String conversationId() {
            return request.conversationId();
        }
    }

    /** Cancels the running answer of a conversation. */
    record Cancel(String conversationId) implements Incoming {}

    /**
     * A person's answer to an approval request.
     *
     * @param conversationId needed only if two conversations have a tool call with this id
     * @param approvalId the request the person saw; if left out, the open one of the tool call
     */
    record Approve(
            String toolId,
            boolean approved,
            @Nullable String conversationId,
            @Nullable String approvalId,
            @Nullable String reason,
            ApprovalDesk.@Nullable Scope scope)
            implements Incoming {
        private static final int MAX_ID = 100;
        private static final int MAX_TOOL_ID = 2_000; // ids come from models, and some are long
        private static final int MAX_REASON = 2_000;

        public Approve {
            TextFields.check("toolId", toolId, MAX_TOOL_ID);
            TextFields.checkNullable("conversationId", conversationId, MAX_ID);
            TextFields.checkNullable("approvalId", approvalId, MAX_ID);
            TextFields.checkNullable("reason", reason, MAX_REASON);
        }

        /**
         * Selects the approval request that is answered.
         *
         * @param open the open requests of the tool call
         * @throws BadRequest if it is not open, or the answer is ambiguous
         */
        UUID among(List<UUID> open) {
            if (open.isEmpty()) {
                throw new BadRequest("There is no open approval request for tool call '" + toolId
                        + "'; it may have been answered, have timed out or been cancelled.");
            }
            if (approvalId != null) {
                return open.stream()
                        .filter(id -> id.toString().equals(approvalId))
                        .findFirst()
                        .orElseThrow(() ->
                                new BadRequest("The approval request '" + approvalId + "' is not open for tool call '"
                                        + toolId + "'; answer the one that is open instead."));
            }
            if (open.size() > 1) {
                throw new BadRequest("Two open approval requests belong to tool call '" + toolId
                        + "'; choose one with the field 'approvalId' or 'conversationId'.");
            }
            return open.getFirst();
        }
    }

    /**
     * Parses a message from the client.
     *
     * @throws BadRequest if it is invalid
     */
    static Incoming read(String message) {
        return read(JsonBody.parse(message));
    }

    /**
     * The conversation that a message names, even if the message is otherwise invalid, so that the error can be sent to
     * that conversation.
     */
    static @Nullable String conversationOf(ObjectNode message) {
        JsonNode payload = message.path("payload");
        JsonNode named = payload.path("conversation_id").isMissingNode()
                ? payload.path("conversationId")
                : payload.path("conversation_id");
        String id = named.isString() ? named.stringValue() : "";
        return id.isBlank() || id.length() > MAX_CONVERSATION_ID ? null : id;
    }

    /** Reads a message from parsed JSON. */
    static Incoming read(ObjectNode message) {
        Envelope envelope = Shapes.ENVELOPE.read(message);
        return switch (ClientMessageType.of(envelope.type())) {
            case SEND -> new Send(Shapes.SEND.read(envelope.payload()));
            case CANCEL -> Shapes.CANCEL.read(envelope.payload());
            case TOOL_APPROVE -> Shapes.APPROVE.read(envelope.payload());
        };
    }

    /** The envelope of every message; its timestamp is not used. */
    record Envelope(
            String type, ObjectNode payload, @Nullable String timestamp) {}

    /** The JSON formats of the messages. */
    final class Shapes {
        private static final JsonRecord<Envelope> ENVELOPE = JsonRecord.of(Envelope.class);
        private static final JsonRecord<SendRequest> SEND = JsonRecord.of(SendRequest.class);
        private static final JsonRecord<Cancel> CANCEL = JsonRecord.of(Cancel.class);
        private static final JsonRecord<Approve> APPROVE = JsonRecord.of(Approve.class, FieldNames.AS_WRITTEN);

        private Shapes() {}
    }
}
