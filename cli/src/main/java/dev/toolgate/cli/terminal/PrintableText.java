package dev.toolgate.cli.terminal;

import java.util.function.IntPredicate;
import tools.jackson.databind.JsonNode;

/**
 * Texts as a terminal may show them. Much of what a server tells was sent to it by agents, and a terminal obeys
 * control characters: none reaches it.
 */
public final class PrintableText {
    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private PrintableText() {}

    /** One line. */
    public static String of(String text) {
        return clean(text, PrintableText::isHarmless);
    }

    /** A text whose lines stay lines, with the joiners that some scripts and signs are written with. */
    public static String lines(String text) {
        return clean(
                text,
                c -> c == '\n' || c == '\t' || c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER || isHarmless(c));
    }

    private static String clean(String text, IntPredicate harmless) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> harmless.test(c) ? c : Character.isWhitespace(c) ? ' ' : '\uFFFD')
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** A value of an answer; a dash if there is none. */
    public static String of(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.stringValue().isEmpty() ? "-" : of(value.stringValue());
            case NULL, MISSING -> "-";
            case ARRAY ->
                value.isEmpty()
                        ? "-"
                        : String.join(
                                ", ", value.valueStream().map(PrintableText::of).toList());
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
