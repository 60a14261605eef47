package dev.toolgate.cli.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An event of a conversation at a terminal. */
public sealed interface TerminalEvent {

    /**
     * A message from the server.
     *
     * @param envelope the whole message
     */
    record ServerMessage(JsonNode envelope) implements TerminalEvent {
        String type() {
            return envelope.path("type").asString("");
        }

        JsonNode payload() {
            return envelope.path("payload");
        }
    }

    /**
     * The connection to the server has ended.
     *
     * @param why in one sentence
     */
    record Disconnected(String why) implements TerminalEvent {}

    /**
     * The user has typed a line.
     *
     * @param request the request the line belongs to
     * @param line {@code null} at the end of the input
     */
    record LineTyped(Keyboard.LineRequest request, @Nullable String line) implements TerminalEvent {}

    /** The user has pressed Ctrl-C. */
    record Interrupted() implements TerminalEvent {}
}
