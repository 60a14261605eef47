package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.PrintableText;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The text of an approval prompt in a conversation. */
final class QuestionPrompt {
    private static final int MAX_LINES = 100;
    private static final int MAX_CHARACTERS = 4000;

    private QuestionPrompt() {}

    // Everything is indented, so that text of the model cannot look like a prompt of this program.
    static String of(JsonNode question) {
        StringBuilder text = new StringBuilder();
        text.append('[').append(PrintableText.of(question.path("toolName"))).append("] needs an approval");
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

    /** Who may answer if this key may not. */
    static String whoMayAnswer(JsonNode question) {
        String id = id(question);
        return "This key may not approve it. An operator or admin can, until "
                + PrintableText.of(question.path("expiresAt")) + ": 'toolgate approvals approve " + id
                + "' or 'toolgate approvals deny " + id + "'. Waiting.";
    }

    private static String input(JsonNode question) {
        String input = PrintableText.of(question.path("input").toString());
        return input.length() <= MAX_CHARACTERS
                ? input
                : input.substring(0, MAX_CHARACTERS) + "\n    … cut here; " + whole(question);
    }

    private static String preview(String preview, JsonNode question) {
        List<String> lines = preview.lines().toList();
        String shown =
                lines.stream().limit(MAX_LINES).map(line -> "    | " + line).collect(Collectors.joining("\n"));
        return lines.size() <= MAX_LINES
                ? shown
                : shown + "\n    … " + (lines.size() - MAX_LINES) + " more lines; " + whole(question);
    }

    private static String whole(JsonNode question) {
        return "'toolgate approvals show " + id(question) + "' shows all of it";
    }

    private static String id(JsonNode question) {
        return PrintableText.of(question.path("approvalId"));
    }
}
