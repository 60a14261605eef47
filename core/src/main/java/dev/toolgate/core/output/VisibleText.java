package dev.toolgate.core.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Renders text for approvers so that nothing is hidden: invisible characters, cursor movements and direction overrides
 * are escaped, and long runs of blanks that would push text out of sight are replaced by their count.
 */
public final class VisibleText {
    private static final Pattern GAP = Pattern.compile("[ \t]{41,}");
    private static final int MAX_EMPTY_LINES = 5;
    /** Letters and marks in Unicode terms that render as nothing. */
    private static final Set<Integer> BLANK = Set.of(0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5);

    private VisibleText() {}

    /** The text with every line indented. */
    public static String indented(String text) {
        return visible(text).lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }

    /** The text, keeping its lines. */
    public static String visible(String text) {
        return GAP.matcher(withoutLongGaps(escaped(text)))
                .replaceAll(found -> "[" + found.group().length() + " blanks]");
    }

    /** The text as one line. */
    public static String line(String text) {
        return visible(text).replace("\n", escaped('\n')).replace("\t", escaped('\t'));
    }

    private static String withoutLongGaps(String text) {
        List<String> lines = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (!line.isBlank()) {
                lines.addAll(counted(empty));
                empty.clear();
                lines.add(line);
            } else {
                empty.add(line);
            }
        }
        lines.addAll(counted(empty));
        return String.join("\n", lines);
    }

    private static List<String> counted(List<String> empty) {
        return empty.size() <= MAX_EMPTY_LINES ? empty : List.of("[" + empty.size() + " empty lines]");
    }

    private static String escaped(String text) {
        if (text.chars().allMatch(c -> c == '\n' || c == '\t' || (c >= ' ' && c < 0x7F))) {
            return text;
        }
        return text.codePoints()
                .mapToObj(point -> isHarmless(point) ? Character.toString(point) : escaped(point))
                .collect(Collectors.joining());
    }

    private static String escaped(int point) {
        return String.format("\\u{%x}", point);
    }

    private static boolean isHarmless(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL -> point == '\n' || point == '\t';
            case Character.SPACE_SEPARATOR -> point == ' ';
            case Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> !BLANK.contains(point);
        };
    }
}
