package dev.toolgate.bench.chat;

import java.io.IOException;

/** A client of the chat WebSocket. */
interface SocketClient extends AutoCloseable {

    void send(String message) throws IOException;

    /** Waits for the next message. */
    Seen next() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /** A message, and when it was received. */
    record Seen(long nanos, String message) {
        boolean is(String type) {
            return message.contains("\"type\":\"" + type + "\"");
        }
    }

    /** Reads until a message of this type. */
    default Seen await(String type) throws IOException, InterruptedException {
        Seen seen = next();
        while (!seen.is(type)) {
            if (seen.is("chat:error")) {
                throw new IOException("Expected " + type + " but received " + seen.message());
            }
            seen = next();
        }
        return seen;
    }

    /** A question to a model of this name. */
    static String question(String conversation, String model) {
        return """
            {"type":"chat:send","payload":{"conversation_id":"%s","provider":"openai","model":"%s","api_key":"none",\
            "content":"Say something."}}\
            """.formatted(conversation, model);
    }

    /** Cancels an answer. */
    static String cancel(String conversation) {
        return "{\"type\":\"chat:cancel\",\"payload\":{\"conversation_id\":\"" + conversation + "\"}}";
    }
}
