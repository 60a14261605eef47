package dev.toolgate.server.door.chat;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.socket.SocketPeer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/** A queued message to a client. */
sealed interface Outgoing {

    /** Its conversation; messages of one conversation stay in order. */
    String conversation();

    /** Its approximate size in memory, in characters. */
    int length();

    /** A complete message. */
    record Whole(String conversation, String message) implements Outgoing {
        static Whole of(String conversation, ServerMessageType type, ObjectNode payload) {
            return new Whole(conversation, envelope(type, payload));
        }

        @Override
        public int length() {
            return message.length();
        }
    }

    /** A piece of a streamed text; pieces that follow while it waits are joined to it. */
    final class Piece implements Outgoing {
        private final String conversation;
        private final Stream stream;
        private final StringBuilder text;

        Piece(String conversation, Stream stream, String text) {
            this.conversation = conversation;
            this.stream = stream;
            this.text = new StringBuilder(text);
        }

        /** Joins the next piece; false if it belongs to another text. */
        boolean absorb(Piece next) {
            if (!next.stream.equals(stream)) {
                return false;
            }
            text.append(next.text);
            return true;
        }

        @Override
        public String conversation() {
            return conversation;
        }

        @Override
        public int length() {
            return text.length();
        }

        /** The message, encoded when it is sent. */
        String message() {
            return stream.message(text.toString());
        }
    }

    /** Closes the connection; nothing is sent after it. */
    record Close(SocketPeer.CloseReason reason) implements Outgoing {
        @Override
        public String conversation() {
            return "";
        }

        @Override
        public int length() {
            return 0;
        }
    }

    /** A streamed text: an answer, a thought, or the output of one tool call. */
    interface Stream {
        String message(String piece);
    }

    static String envelope(ServerMessageType type, ObjectNode payload) {
        ObjectNode envelope = Json.MAPPER.createObjectNode();
        envelope.put("type", type.wireName());
        envelope.set("payload", payload);
        envelope.put("timestamp", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        return Json.MAPPER.writeValueAsString(envelope);
    }
}
