package dev.toolgate.server.upstream;

import dev.toolgate.server.upstream.ScanFinding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Scans the definition of a tool for texts that address the model. A finding is a reason for a closer look, not a
 * verdict, and a definition without findings can still be an attack. The scan takes linear time.
 */
public final class DescriptionScan {
    /** The maximum number of reported findings. */
    static final int MAX_FINDINGS = 20;

    private static final int EXCERPT_LENGTH = 60;
    private static final int MAX_POINTER = 300;

    /** In lower case, with single spaces. */
    private static final List<String> INSTRUCTIONS = List.of(
            "ignore previous",
            "ignore all previous",
            "ignore any previous",
            "ignore the above",
            "ignore other",
            "ignore all other",
            "disregard previous",
            "disregard all previous",
            "disregard the above",
            "disregard any",
            "forget previous",
            "forget your instructions",
            "override previous",
            "previous instructions",
            "your instructions",
            "system prompt",
            "developer message",
            "do not tell the user",
            "don't tell the user",
            "do not inform the user",
            "do not mention",
            "don't mention",
            "do not reveal",
            "do not show the user",
            "do not ask the user",
            "without telling the user",
            "without asking the user",
            "without informing",
            "hide this from",
            "keep this secret",
            "never tell",
            "the user must not",
            "you must first",
            "you must always",
            "you must call",
            "always call this tool",
            "always use this tool",
            "before using any other tool",
            "before calling any other tool",
            "instead of any other tool",
            "as an ai",
            "as the assistant",
            "<important",
            "</important",
            "<system",
            "</system",
            "<instruction",
            "<secret",
            "[system]",
            "[inst]",
            "<|im_start|>",
            "<|system|>");

    // Bounded repetitions, so that matching takes linear time.
    private static final Pattern LINK_WITH_DATA =
            Pattern.compile("(?i)\\b(?:https?|ftp|wss?)://[^\\s?\"'<>]{1,300}\\?[^\\s\"'<>=]{1,100}=");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]{0,100}]\\((?:https?:)?//");

    private final List<ScanFinding> findings = new ArrayList<>();

    private DescriptionScan() {}

    /** The findings in a definition, in its order. */
    public static List<ScanFinding> of(ObjectNode definition) {
        DescriptionScan scan = new DescriptionScan();
        scan.look(definition, "");
        return List.copyOf(scan.findings);
    }

    private void look(JsonNode value, String pointer) {
        if (findings.size() >= MAX_FINDINGS) {
            return;
        }
        switch (value.getNodeType()) {
            case OBJECT ->
                value.forEachEntry((name, inner) -> {
                    String place = inside(pointer, name);
                    text(name, place);
                    look(inner, place);
                });
            case ARRAY -> {
                for (int i = 0; i < value.size(); i++) {
                    look(value.get(i), inside(pointer, Integer.toString(i)));
                }
            }
            case STRING -> text(value.stringValue(), pointer);
            case NUMBER, BOOLEAN, NULL, MISSING, BINARY, POJO -> {
                // no text
            }
        }
    }

    // Pointers into deep schemas are truncated: otherwise they would take more time and space than the definition.
    private static String inside(String pointer, String name) {
        return pointer.length() >= MAX_POINTER
                ? pointer
                : pointer + "/" + visible(name.substring(0, Math.min(name.length(), MAX_POINTER)));
    }

    private void text(String text, String pointer) {
        hidden(text).ifPresent(at -> add(Kind.HIDDEN_CHARACTERS, pointer, text, at));
        Plain plain = Plain.of(text);
        INSTRUCTIONS.stream()
                .mapToInt(plain.words()::indexOf)
                .filter(at -> at >= 0)
                .min()
                .ifPresent(at -> add(Kind.INSTRUCTION, pointer, text, plain.origin()[at]));
        for (Pattern link : List.of(LINK_WITH_DATA, IMAGE)) {
            Matcher found = link.matcher(text);
            if (found.find()) {
                add(Kind.LINK_WITH_DATA, pointer, text, found.start());
            }
        }
    }

    private void add(Kind kind, String pointer, String text, int at) {
        if (findings.size() < MAX_FINDINGS) {
            int from = Math.max(0, at - EXCERPT_LENGTH / 2);
            int to = Math.min(text.length(), at + EXCERPT_LENGTH);
            findings.add(new ScanFinding(kind, pointer, visible(text.substring(from, to))));
        }
    }

    private static Optional<Integer> hidden(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (isHidden(c)) {
                return Optional.of(i);
            }
            i += Character.charCount(c);
        }
        return Optional.empty();
    }

    /** Whether a character is invisible to people, except line ends and tabs. */
    static boolean isHidden(int c) {
        if (c == '\n' || c == '\r' || c == '\t') {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SURROGATE -> true;
            // Line and paragraph separators, fillers, and variation selectors, which can spell out whole texts.
            default ->
                c == 0x2028
                        || c == 0x2029
                        || c == 0x115F
                        || c == 0x1160
                        || c == 0x3164
                        || c == 0xFFA0
                        || c == 0x034F
                        || (c >= 0xFE00 && c <= 0xFE0E) // not U+FE0F, which coloured emoji end with
                        || (c >= 0xE0100 && c <= 0xE01EF);
        };
    }

    /** A text with its invisible characters spelled out. */
    static String visible(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHidden(c)) {
                shown.append("<U+").append(String.format("%04X", c)).append('>');
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /**
     * A text for searching words: in lower case, without invisible characters, with single spaces and plain
     * apostrophes.
     *
     * @param origin where each character was in the text
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Plain(String words, int[] origin) {
        static Plain of(String text) {
            StringBuilder words = new StringBuilder(text.length());
            int[] origin = new int[text.length() + 1];
            for (int i = 0; i < text.length(); ) {
                int c = text.codePointAt(i);
                if (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '_' || c == '*') {
                    if (words.isEmpty() || words.charAt(words.length() - 1) != ' ') {
                        origin[words.length()] = i;
                        words.append(' ');
                    }
                } else if (!isHidden(c)) {
                    origin[words.length()] = i;
                    words.append(letter(c));
                }
                i += Character.charCount(c);
            }
            return new Plain(words.toString(), origin);
        }

        // One character for each: other characters than plain letters occur in none of the phrases.
        private static char letter(int c) {
            if (c == '\u2019' || c == '\u02BC') {
                return '\'';
            }
            return c > 0x7e
                    ? '\u00b7'
                    : String.valueOf((char) c).toLowerCase(Locale.ROOT).charAt(0);
        }
    }
}
