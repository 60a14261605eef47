package dev.toolgate.runtime.command;

import java.util.stream.Collectors;

/** Text as a person who is asked to approve it sees it: all of it, with nothing hidden. */
public final class VisibleText {
    private VisibleText() {}

    /** Every line of it, a little to the right. */
    public static String indented(String text) {
        return visible(text).lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }

    /** Characters that move the cursor or turn the direction of writing could make a text look like another. */
    public static String visible(String text) {
        return text.codePoints()
                .mapToObj(point -> isHarmless(point) ? Character.toString(point) : String.format("\\u{%x}", point))
                .collect(Collectors.joining());
    }

    private static boolean isHarmless(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL -> point == '\n' || point == '\t';
            case Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
