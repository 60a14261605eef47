package dev.toolgate.cli.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Something that a conversation at a terminal goes on from. */
public sealed interface Happening {

    /**
     * The server has said something.
     *
     * @param envelope all of it
     */
    record Said(JsonNode envelope) implements Happening {
        String type() {
            return envelope.path("type").asString("");
        }

        JsonNode payload() {
            return envelope.path("payload");
        }
    }

    /**
     * There is no connection to the server any more.
     *
     * @param why in one sentence
     */
    record Gone(String why) implements Happening {}

    /**
     * The person has typed a line.
     *
     * @param wish what it was typed for
     * @param line {@code null} at the end of the input
     */
    record Typed(Keyboard.Wish wish, @Nullable String line) implements Happening {}

    /** The person has pressed Ctrl-C. */
    record Interrupted() implements Happening {}
}
