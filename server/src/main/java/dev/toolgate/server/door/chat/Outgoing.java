package dev.toolgate.server.door.chat;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.socket.SocketPeer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/** What waits to be sent to a client. */
sealed interface Outgoing {

    /** Of which conversation; the order of what belongs to one is kept. */
    String conversation();

    /** How much memory it takes, roughly: its characters. */
    int length();

    /** Something that is sent as it is. */
    record Whole(String conversation, String message) implements Outgoing {
        static Whole of(String conversation, String type, ObjectNode payload) {
            return new Whole(conversation, envelope(type, payload));
        }

        @Override
        public int length() {
            return message.length();
        }
    }

    /** A piece of a text, which grows by the pieces that come while it waits. */
    final class Piece implements Outgoing {
        private final String conversation;
        private final Stream stream;
        private final StringBuilder text;

        Piece(String conversation, Stream stream, String text) {
            this.conversation = conversation;
            this.stream = stream;
            this.text = new StringBuilder(text);
        }

        /** Takes in what comes next; false if it belongs to another text. */
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

        /** The message itself, made when it is sent. */
        String message() {
            return stream.message(text.toString());
        }
    }

    /** Nothing comes after this. */
    record Goodbye(SocketPeer.CloseReason reason) implements Outgoing {
        @Override
        public String conversation() {
            return "";
        }

        @Override
        public int length() {
            return 0;
        }
    }

    /** A text that arrives in pieces: an answer, a thought, the output of one tool call. */
    interface Stream {
        String message(String piece);
    }

    static String envelope(String type, ObjectNode payload) {
        ObjectNode envelope = Json.MAPPER.createObjectNode();
        envelope.put("type", type);
        envelope.set("payload", payload);
        envelope.put("timestamp", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        return Json.MAPPER.writeValueAsString(envelope);
    }
}
