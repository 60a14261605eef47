package dev.toolgate.cli.chat;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prompts for the approvals of one answer, one after the other. Only an input to the prompt on the screen counts. */
final class ApprovalPrompt {
    private static final String ALLOW = "Allow? [y/N] ";
    private static final Set<String> YES = Set.of("y", "yes");

    private final ChatScreen screen;
    private final @Nullable Keyboard keyboard;
    private final MessageSender sender;
    private final Right right;
    private final Deque<JsonNode> waiting = new ArrayDeque<>();
    private @Nullable JsonNode asked;
    private Keyboard.@Nullable LineRequest request;

    /** Sends messages to the server. */
    interface MessageSender {
        void send(String type, ObjectNode payload) throws IOException;
    }

    /** Whether the key may answer approval requests. */
    enum Right {
        MAY_ANSWER,
        MAY_NOT_ANSWER
    }

    /**
     * @param keyboard {@code null} if the input is not a terminal
     */
    ApprovalPrompt(ChatScreen screen, @Nullable Keyboard keyboard, MessageSender sender, Right right) {
        this.screen = screen;
        this.keyboard = keyboard;
        this.sender = sender;
        this.right = right;
    }

    /** A call needs an approval. */
    void ask(JsonNode question) throws IOException {
        if (right == Right.MAY_NOT_ANSWER) {
            screen.remark(QuestionPrompt.of(question) + "\n" + QuestionPrompt.whoMayAnswer(question));
        } else if (keyboard == null) {
            screen.remark(QuestionPrompt.of(question)
                    + "\nIt is refused because there is no terminal to ask at; run 'toolgate chat' in a"
                    + " terminal to approve calls.");
            answer(question, "There was no terminal to ask at.");
        } else if (asked == null) {
            show(question, keyboard);
        } else {
            waiting.add(question);
        }
    }

    private void show(JsonNode question, Keyboard person) {
        screen.remark(QuestionPrompt.of(question));
        asked = question;
        request = person.read(Keyboard.Purpose.ANSWER, this::prompt);
    }

    private void prompt(Keyboard.Start start) {
        screen.prompt(
                switch (start) {
                    case IMMEDIATELY -> ALLOW;
                    case AFTER_ENTER -> "Press Enter to continue to the question. ";
                });
    }

    /** The user has typed a line. */
    void typed(TerminalEvent.LineTyped typed) throws IOException {
        JsonNode question = asked;
        if (question == null || request == null || keyboard == null) {
            return;
        }
        if (typed.request() != request) {
            keyboard.advance(request, typed.request(), this::prompt);
            return;
        }
        String line = typed.line() == null ? "" : typed.line().strip().toLowerCase(Locale.ROOT);
        if (YES.contains(line)) {
            sender.send("chat:tool-approve", body(question).put("approved", true));
        } else {
            answer(question, "Refused at the terminal.");
        }
        showNext();
    }

    /** A call has started or ended, so its question is obsolete. */
    void settled(String toolId) {
        waiting.removeIf(question -> isOf(question, toolId));
        if (asked != null && isOf(asked, toolId)) {
            screen.remark("The question is closed: another person has answered, or it has timed out.");
            showNext();
        }
    }

    /** The answer has ended. */
    void end() {
        waiting.clear();
        asked = null;
        request = null;
    }

    private void showNext() {
        asked = null;
        request = null;
        JsonNode next = waiting.poll();
        if (next != null && keyboard != null) {
            show(next, keyboard);
        }
    }

    private void answer(JsonNode question, String refusal) throws IOException {
        sender.send("chat:tool-approve", body(question).put("approved", false).put("reason", refusal));
    }

    private static ObjectNode body(JsonNode question) {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("toolId", question.path("toolId").asString(""))
                .put("conversationId", question.path("conversationId").asString(""));
        if (question.hasNonNull("approvalId")) {
            body.set("approvalId", question.path("approvalId")); // this request, even if others have the same tool id
        }
        return body;
    }

    private static boolean isOf(JsonNode question, String toolId) {
        return question.path("toolId").asString("").equals(toolId);
    }
}
