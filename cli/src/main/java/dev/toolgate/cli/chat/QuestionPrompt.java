package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.PrintableText;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A question about a call, as a person reads it in the middle of a conversation. */
final class QuestionPrompt {
    private static final int MOST_LINES = 100;
    private static final int MOST_CHARACTERS = 4000;

    private QuestionPrompt() {}

    // All of it is indented: whatever the model wrote, it cannot look like a question of ours.
    static String of(JsonNode question) {
        StringBuilder text = new StringBuilder();
        text.append('[')
                .append(PrintableText.of(question.path("toolName")))
                .append("] may run only if somebody allows it");
        String reason = PrintableText.of(question.path("reason").asString(""));
        if (!reason.isEmpty()) {
            text.append(": ").append(reason);
        }
        text.append("\n    ").append(input(question));
        String preview = PrintableText.lines(question.path("preview").asString(""));
        if (!preview.isBlank()) {
            text.append('\n').append(preview(preview, question));
        }
        return text.toString();
    }

    /** Who may answer where this key may not. */
    static String whoMayAnswer(JsonNode question) {
        String id = id(question);
        return "This key may not allow it. An operator or admin can, until "
                + PrintableText.of(question.path("expiresAt")) + ": 'toolgate approvals approve " + id
                + "' or 'toolgate approvals deny " + id + "'. Waiting.";
    }

    private static String input(JsonNode question) {
        String input = PrintableText.of(question.path("input").toString());
        return input.length() <= MOST_CHARACTERS
                ? input
                : input.substring(0, MOST_CHARACTERS) + "\n    … cut here; " + whole(question);
    }

    private static String preview(String preview, JsonNode question) {
        List<String> lines = preview.lines().toList();
        String shown =
                lines.stream().limit(MOST_LINES).map(line -> "    | " + line).collect(Collectors.joining("\n"));
        return lines.size() <= MOST_LINES
                ? shown
                : shown + "\n    … " + (lines.size() - MOST_LINES) + " more lines; " + whole(question);
    }

    private static String whole(JsonNode question) {
        return "'toolgate approvals show " + id(question) + "' shows all of it";
    }

    private static String id(JsonNode question) {
        return PrintableText.of(question.path("approvalId"));
    }
}
