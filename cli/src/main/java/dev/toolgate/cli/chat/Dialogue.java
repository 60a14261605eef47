package dev.toolgate.cli.chat;

import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** An interactive dialogue at a terminal. */
final class Dialogue {
    private static final String PROMPT = "> ";

    private final TerminalConversation conversation;
    private final ChatScreen screen;
    private final Keyboard keyboard;
    private final TerminalEvents events;

    Dialogue(TerminalConversation conversation, ChatScreen screen, Keyboard keyboard, TerminalEvents events) {
        this.conversation = conversation;
        this.screen = screen;
        this.keyboard = keyboard;
        this.events = events;
    }

    /**
     * Runs until the user ends it.
     *
     * @return how the last answer ended
     */
    Optional<AnswerEnd> hold(ObjectNode terms) throws IOException {
        screen.remark("/new begins another conversation, /exit or Ctrl-D ends it, Ctrl-C stops an answer.");
        Optional<AnswerEnd> last = Optional.empty();
        while (!(last.orElse(null) instanceof AnswerEnd.Abandoned)) {
            Optional<String> message = message();
            if (message.isEmpty()) {
                screen.endLine();
                return last;
            }
            switch (message.get().strip()) {
                case "" -> {
                    // shows the prompt again
                }
                case "/exit" -> {
                    return last;
                }
                case "/new" -> {
                    conversation.beginAnew();
                    screen.remark("This is a new conversation.");
                }
                default -> last = answer(terms, message.get());
            }
        }
        return last;
    }

    private Optional<AnswerEnd> answer(ObjectNode terms, String message) {
        if (keyboard.wasCut(message)) {
            screen.remark("toolgate: the terminal truncates lines after 4095 bytes; pipe the message in, or put it in a"
                    + " file in the workspace");
            return Optional.empty();
        }
        try {
            AnswerEnd end = conversation.send(terms, message);
            switch (end) {
                case AnswerEnd.Failed failed -> screen.remark("toolgate: " + failed.sentence());
                case AnswerEnd.ConnectionLost lost -> screen.remark("toolgate: " + lost.sentence());
                case AnswerEnd.Answered _, AnswerEnd.Abandoned _ -> {
                    // already shown
                }
            }
            return Optional.of(end);
        } catch (IOException lost) {
            screen.remark("toolgate: " + lost.getMessage());
            return Optional.empty();
        }
    }

    private void prompt(Keyboard.Start start) {
        screen.prompt(
                switch (start) {
                    case IMMEDIATELY -> PROMPT;
                    case AFTER_ENTER -> "Press Enter to continue. ";
                });
    }

    /** The next message; empty if the user ends the dialogue. */
    private Optional<String> message() throws IOException {
        Keyboard.LineRequest request = keyboard.read(Keyboard.Purpose.MESSAGE, this::prompt);
        while (true) {
            switch (events.next()) {
                case TerminalEvent.LineTyped typed -> {
                    if (typed.request() == request) {
                        if (typed.line() != null) {
                            screen.typed();
                        }
                        return Optional.ofNullable(typed.line());
                    }
                    screen.typed();
                    keyboard.advance(request, typed.request(), this::prompt);
                }
                case TerminalEvent.Interrupted _ -> {
                    return Optional.empty();
                }
                case TerminalEvent.Disconnected _ -> conversation.disconnect();
                case TerminalEvent.ServerMessage _ -> conversation.ignore();
            }
        }
    }
}
