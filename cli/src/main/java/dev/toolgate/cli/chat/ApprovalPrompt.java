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

/** The questions of one answer, asked one after the other. Only a yes to the question on the screen is a yes. */
final class ApprovalPrompt {
    private static final String ALLOW = "Allow? [y/N] ";
    private static final Set<String> YES = Set.of("y", "yes");

    private final ChatScreen screen;
    private final @Nullable Keyboard keyboard;
    private final Voice voice;
    private final Right right;
    private final Deque<JsonNode> waiting = new ArrayDeque<>();
    private @Nullable JsonNode asked;
    private Keyboard.@Nullable Wish wish;

    /** Says something to the server. */
    interface Voice {
        void say(String type, ObjectNode payload) throws IOException;
    }

    /** What the key is good for. */
    enum Right {
        MAY_ANSWER,
        MAY_NOT_ANSWER
    }

    /**
     * @param keyboard {@code null} if there is nobody who could be asked
     */
    ApprovalPrompt(ChatScreen screen, @Nullable Keyboard keyboard, Voice voice, Right right) {
        this.screen = screen;
        this.keyboard = keyboard;
        this.voice = voice;
        this.right = right;
    }

    /** A call waits for somebody's yes. */
    void ask(JsonNode question) throws IOException {
        if (right == Right.MAY_NOT_ANSWER) {
            screen.remark(QuestionPrompt.of(question) + "\n" + QuestionPrompt.whoMayAnswer(question));
        } else if (keyboard == null) {
            screen.remark(QuestionPrompt.of(question)
                    + "\nNobody can be asked here, so it is refused; run 'toolgate chat' in a terminal to be asked.");
            answer(question, "Nobody could be asked.");
        } else if (asked == null) {
            show(question, keyboard);
        } else {
            waiting.add(question);
        }
    }

    private void show(JsonNode question, Keyboard person) {
        screen.remark(QuestionPrompt.of(question));
        asked = question;
        wish = person.read(Keyboard.Purpose.ANSWER, this::prompt);
    }

    private void prompt(Keyboard.Start start) {
        screen.prompt(
                switch (start) {
                    case AT_ONCE -> ALLOW;
                    case AFTER_ENTER -> "Press Enter to be asked. ";
                });
    }

    /** The person has typed something. */
    void typed(Happening.Typed typed) throws IOException {
        JsonNode question = asked;
        if (question == null || wish == null || keyboard == null) {
            return;
        }
        if (typed.wish() != wish) {
            keyboard.turnTo(wish, typed.wish(), this::prompt);
            return;
        }
        String line = typed.line() == null ? "" : typed.line().strip().toLowerCase(Locale.ROOT);
        if (YES.contains(line)) {
            voice.say("chat:tool-approve", body(question).put("approved", true));
        } else {
            answer(question, "Refused at the terminal.");
        }
        goOn();
    }

    /** A call runs or has ended: nobody needs to be asked about it any more. */
    void settled(String toolId) {
        waiting.removeIf(question -> isOf(question, toolId));
        if (asked != null && isOf(asked, toolId)) {
            screen.remark("The question is over: somebody else has answered, or its time is up.");
            goOn();
        }
    }

    /** The answer has ended. */
    void end() {
        waiting.clear();
        asked = null;
        wish = null;
    }

    private void goOn() {
        asked = null;
        wish = null;
        JsonNode next = waiting.poll();
        if (next != null && keyboard != null) {
            show(next, keyboard);
        }
    }

    private void answer(JsonNode question, String refusal) throws IOException {
        voice.say("chat:tool-approve", body(question).put("approved", false).put("reason", refusal));
    }

    private static ObjectNode body(JsonNode question) {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("toolId", question.path("toolId").asString(""))
                .put("conversationId", question.path("conversationId").asString(""));
        if (question.hasNonNull("approvalId")) {
            body.set("approvalId", question.path("approvalId")); // this question, whatever else goes by the tool's id
        }
        return body;
    }

    private static boolean isOf(JsonNode question, String toolId) {
        return question.path("toolId").asString("").equals(toolId);
    }
}
