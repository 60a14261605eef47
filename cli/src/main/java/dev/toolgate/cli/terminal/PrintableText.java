package dev.toolgate.cli.terminal;

import java.util.function.IntPredicate;
import tools.jackson.databind.JsonNode;

/**
 * Makes texts safe to print. Responses contain texts sent by agents, so control characters must not reach the terminal.
 */
public final class PrintableText {
    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private PrintableText() {}

    /** One line. */
    public static String of(String text) {
        return clean(text, PrintableText::isHarmless);
    }

    /** Several lines; keeps the zero-width joiners that some scripts and emoji need. */
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

    /** A JSON value; a dash if there is none. */
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

    // Format characters can reorder a line so that it reads differently.
    private static boolean isHarmless(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
