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

/** A conversation: its history, and a connection that is made again where it was lost. */
final class TerminalConversation implements AutoCloseable {
    private final ServerAddress server;
    private final Key key;
    private final ChatScreen screen;
    private final @Nullable Keyboard keyboard;
    private final Happenings happenings;
    private final ArrayNode history = Json.MAPPER.createArrayNode();
    private String id = newId();
    private @Nullable ChatSocket connection;
    private ApprovalPrompt.Right right = ApprovalPrompt.Right.MAY_NOT_ANSWER;

    /**
     * @param keyboard {@code null} if there is nobody who could be asked
     */
    TerminalConversation(
            ServerAddress server, Key key, ChatScreen screen, @Nullable Keyboard keyboard, Happenings happenings) {
        this.server = server;
        this.key = key;
        this.screen = screen;
        this.keyboard = keyboard;
        this.happenings = happenings;
    }

    /**
     * Connects.
     *
     * @return what the server says of the connection
     * @throws IOException with one sentence that says why it cannot
     */
    JsonNode connect() throws IOException {
        ChatSocket made = ChatSocket.open(server, key, happenings::add);
        connection = made;
        try {
            JsonNode status = status();
            made.next();
            right = status.path("may_approve").asBoolean(false)
                    ? ApprovalPrompt.Right.MAY_ANSWER
                    : ApprovalPrompt.Right.MAY_NOT_ANSWER;
            return status;
        } catch (IOException unconnected) {
            disconnect();
            throw unconnected;
        }
    }

    /** The first thing the server says. */
    private JsonNode status() throws IOException {
        while (true) {
            switch (happenings.nextSoon().orElse(null)) {
                case null ->
                    throw new IOException(
                            "the server at " + server + " did not answer in time; see what 'toolgate health' says");
                case Happening.Said said
                when said.type().equals("connection:status") -> {
                    return said.payload();
                }
                case Happening.Said _ ->
                    throw new IOException("what answers at " + server + " is not a Toolgate server; check the address");
                case Happening.Gone gone -> throw new IOException(gone.why());
                case Happening.Interrupted _ -> throw new IOException("stopped; send the message again");
                case Happening.Typed _ -> screen.typed(); // was for something else
            }
        }
    }

    /**
     * One message and its answer.
     *
     * @param terms who talks to which model, and how
     * @throws IOException with one sentence that says why there is no answer
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
                case AnswerEnd.Said said -> said.messages().forEach(history::add);
                case AnswerEnd.Cut _ -> disconnect();
                case AnswerEnd.Failed _, AnswerEnd.Left _ -> {
                    // as if the message had not been sent
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
            end = answer.take(happenings.next());
        }
        screen.rest();
        return end.get();
    }

    /** The server has said something that belongs to no answer. */
    void ignore() throws IOException {
        connection().next();
    }

    /** Forgets the history. */
    void beginAnew() {
        history.removeAll();
        id = newId();
    }

    /** Ends the connection; the next message makes another. */
    void disconnect() {
        if (connection != null) {
            connection.close();
            connection = null;
            happenings.forgetServer();
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
