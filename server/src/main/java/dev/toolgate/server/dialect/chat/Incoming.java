package dev.toolgate.server.dialect.chat;

import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.server.http.BadRequest;
import dev.toolgate.server.http.FieldNames;
import dev.toolgate.server.http.JsonBody;
import dev.toolgate.server.http.JsonRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What a client sends. */
sealed interface Incoming {

    /** A message for a model. */
    record Send(SendRequest request) implements Incoming {}

    /** The running answer of a conversation is not wanted any more. */
    record Cancel(String conversationId) implements Incoming {}

    /**
     * A person's answer to a question.
     *
     * @param conversationId needed only where two conversations have a tool call of that id
     */
    record Approve(
            String toolId,
            boolean approved,
            @Nullable String conversationId,
            @Nullable String reason,
            ApprovalDesk.@Nullable Scope scope)
            implements Incoming {}

    /**
     * Reads a message of the client.
     *
     * @throws BadRequest if it is none; says what is wrong with it
     */
    static Incoming read(String message) {
        Envelope envelope = Shapes.ENVELOPE.read(JsonBody.parse(message));
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
