package dev.toolgate.core.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text as a person who is asked to approve it sees it, with nothing hidden: characters that cannot be seen, move the
 * cursor or turn the direction of writing are spelt out, and long gaps, behind which the rest would be out of sight, are
 * counted instead.
 */
public final class VisibleText {
    private static final Pattern GAP = Pattern.compile("[ \t]{41,}");
    private static final int MOST_EMPTY_LINES = 5;
    /** Letters and marks, to Unicode, that are drawn as nothing. */
    private static final Set<Integer> BLANK = Set.of(0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5);

    private VisibleText() {}

    /** Every line of it, a little to the right. */
    public static String indented(String text) {
        return visible(text).lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }

    /** All of it, in its lines. */
    public static String visible(String text) {
        return GAP.matcher(closer(spelt(text)))
                .replaceAll(found -> "[" + found.group().length() + " blanks]");
    }

    /** All of it as one line. */
    public static String line(String text) {
        return visible(text).replace("\n", spelt('\n')).replace("\t", spelt('\t'));
    }

    private static String closer(String text) {
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
        return empty.size() <= MOST_EMPTY_LINES ? empty : List.of("[" + empty.size() + " empty lines]");
    }

    private static String spelt(String text) {
        if (text.chars().allMatch(c -> c == '\n' || c == '\t' || (c >= ' ' && c < 0x7F))) {
            return text;
        }
        return text.codePoints()
                .mapToObj(point -> isHarmless(point) ? Character.toString(point) : spelt(point))
                .collect(Collectors.joining());
    }

    private static String spelt(int point) {
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
