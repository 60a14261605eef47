package dev.toolgate.server.cli.remote;

import tools.jackson.databind.JsonNode;

/**
 * Texts as a terminal may show them. Much of what a server tells was sent to it by agents, and a terminal obeys
 * control characters: none reaches it.
 */
final class CleanText {
    private CleanText() {}

    static String of(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> isHarmless(c) ? c : Character.isWhitespace(c) ? ' ' : '\uFFFD')
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** A value of an answer; a dash if there is none. */
    static String of(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.stringValue().isEmpty() ? "-" : of(value.stringValue());
            case NULL, MISSING -> "-";
            case ARRAY ->
                value.isEmpty()
                        ? "-"
                        : String.join(
                                ", ", value.valueStream().map(CleanText::of).toList());
            case BOOLEAN -> value.booleanValue() ? "yes" : "no";
            case NUMBER, OBJECT, BINARY, POJO -> of(value.toString());
        };
    }

    // Formatting characters can reorder a line, so that it reads as something else.
    private static boolean isHarmless(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
