package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A conversation with its history, and a connection that is re-established if lost. */
final class TerminalConversation implements AutoCloseable {
    private final ServerAddress server;
    private final Key key;
    private final ChatScreen screen;
    private final @Nullable Keyboard keyboard;
    private final TerminalEvents events;
    private final ArrayNode history = Json.MAPPER.createArrayNode();
    private String id = newId();
    private @Nullable ChatSocket connection;
    private ApprovalPrompt.Right right = ApprovalPrompt.Right.MAY_NOT_ANSWER;

    /**
     * @param keyboard {@code null} if the input is not a terminal
     */
    TerminalConversation(
            ServerAddress server, Key key, ChatScreen screen, @Nullable Keyboard keyboard, TerminalEvents events) {
        this.server = server;
        this.key = key;
        this.screen = screen;
        this.keyboard = keyboard;
        this.events = events;
    }

    /**
     * Connects.
     *
     * @return the server's connection status
     * @throws IOException if it cannot connect; the message says why
     */
    JsonNode connect() throws IOException {
        ChatSocket made = ChatSocket.open(server, key, events::add);
        connection = made;
        try {
            JsonNode status = status();
            made.requestNext();
            right = status.path("may_approve").asBoolean(false)
                    ? ApprovalPrompt.Right.MAY_ANSWER
                    : ApprovalPrompt.Right.MAY_NOT_ANSWER;
            return status;
        } catch (IOException unconnected) {
            disconnect();
            throw unconnected;
        }
    }

    /** The first message of the server. */
    private JsonNode status() throws IOException {
        while (true) {
            switch (events.nextSoon().orElse(null)) {
                case null ->
                    throw new IOException(
                            "the server at " + server + " did not answer in time; see what 'toolgate health' says");
                case TerminalEvent.ServerMessage message
                when message.type().equals("connection:status") -> {
                    return message.payload();
                }
                case TerminalEvent.ServerMessage _ ->
                    throw new IOException("the program at " + server + " is not a Toolgate server; check the address");
                case TerminalEvent.Disconnected disconnected -> throw new IOException(disconnected.why());
                case TerminalEvent.Interrupted _ -> throw new IOException("stopped; send the message again");
                case TerminalEvent.LineTyped _ -> screen.typed(); // belonged to an earlier prompt
            }
        }
    }

    /**
     * Sends a message and handles its answer.
     *
     * @param terms the common payload of messages
     * @throws IOException if the message cannot be sent
     */
    AnswerEnd send(ObjectNode terms, String message) throws IOException {
        if (connection == null) {
            connect();
        }
        ObjectNode payload = terms.deepCopy().put("conversation_id", id).put("content", message);
        payload.set("history", history);
        try {
            AnswerEnd end = follow(payload);
            switch (end) {
                case AnswerEnd.Answered answered -> answered.messages().forEach(history::add);
                case AnswerEnd.ConnectionLost _ -> disconnect();
                case AnswerEnd.Failed _, AnswerEnd.Abandoned _ -> {
                    // the history stays as before the message
                }
            }
            return end;
        } catch (IOException lost) {
            disconnect();
            throw lost;
        }
    }

    private AnswerEnd follow(ObjectNode payload) throws IOException {
        ChatSocket open = connection();
        open.send("chat:send", payload);
        ApprovalPrompt approvals = new ApprovalPrompt(screen, keyboard, open::send, right);
        RunningAnswer answer = new RunningAnswer(id, open, screen, approvals, keyboard);
        Optional<AnswerEnd> end = Optional.empty();
        while (end.isEmpty()) {
            end = answer.take(events.next());
        }
        screen.endLine();
        return end.get();
    }

    /** Skips a message of the server that belongs to no answer. */
    void ignore() throws IOException {
        connection().requestNext();
    }

    /** Starts a new conversation without history. */
    void beginAnew() {
        history.removeAll();
        id = newId();
    }

    /** Closes the connection; the next message opens another. */
    void disconnect() {
        if (connection != null) {
            connection.close();
            connection = null;
            events.forgetServer();
        }
    }

    private ChatSocket connection() throws IOException {
        if (connection == null) {
            throw new IOException("there is no connection to the server");
        }
        return connection;
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    @Override
    public void close() {
        disconnect();
    }
}
