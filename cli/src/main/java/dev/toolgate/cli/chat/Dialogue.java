package dev.toolgate.cli.chat;

import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A person at a terminal, message after message. */
final class Dialogue {
    private static final String PROMPT = "> ";

    private final TerminalConversation conversation;
    private final ChatScreen screen;
    private final Keyboard keyboard;
    private final Happenings happenings;

    Dialogue(TerminalConversation conversation, ChatScreen screen, Keyboard keyboard, Happenings happenings) {
        this.conversation = conversation;
        this.screen = screen;
        this.keyboard = keyboard;
        this.happenings = happenings;
    }

    /**
     * Talks until the person ends it.
     *
     * @return how the last answer ended
     */
    Optional<AnswerEnd> hold(ObjectNode terms) throws IOException {
        screen.remark("/new begins another conversation, /exit or Ctrl-D ends it, Ctrl-C stops an answer.");
        Optional<AnswerEnd> last = Optional.empty();
        while (!(last.orElse(null) instanceof AnswerEnd.Left)) {
            Optional<String> message = message();
            if (message.isEmpty()) {
                screen.rest();
                return last;
            }
            switch (message.get().strip()) {
                case "" -> {
                    // the prompt again
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
            screen.remark(
                    "toolgate: a terminal cuts a line after 4095 bytes; pipe the message in, or put it into a file"
                            + " of the workspace");
            return Optional.empty();
        }
        try {
            AnswerEnd end = conversation.send(terms, message);
            switch (end) {
                case AnswerEnd.Failed failed -> screen.remark("toolgate: " + failed.sentence());
                case AnswerEnd.Cut cut -> screen.remark("toolgate: " + cut.sentence());
                case AnswerEnd.Said _, AnswerEnd.Left _ -> {
                    // was seen
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
                    case AT_ONCE -> PROMPT;
                    case AFTER_ENTER -> "Press Enter to go on. ";
                });
    }

    /** What the person types next; nothing if they end it. */
    private Optional<String> message() throws IOException {
        Keyboard.Wish wish = keyboard.read(Keyboard.Purpose.MESSAGE, this::prompt);
        while (true) {
            switch (happenings.next()) {
                case Happening.Typed typed -> {
                    if (typed.wish() == wish) {
                        if (typed.line() != null) {
                            screen.typed();
                        }
                        return Optional.ofNullable(typed.line());
                    }
                    screen.typed();
                    keyboard.turnTo(wish, typed.wish(), this::prompt);
                }
                case Happening.Interrupted _ -> {
                    return Optional.empty();
                }
                case Happening.Gone _ -> conversation.disconnect();
                case Happening.Said _ -> conversation.ignore();
            }
        }
    }
}
