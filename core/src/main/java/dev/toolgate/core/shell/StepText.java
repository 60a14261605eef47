package dev.toolgate.core.shell;

import dev.toolgate.core.output.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One step in words. */
final class StepText {
    /** Stands before a program that another one starts. */
    static final String STARTED = "->";

    private static final Set<String> GROUP_ENDS = Set.of(")", "}", "fi", "done", "esac");
    private static final int LONGEST = 300;
    private static final Pattern PLAIN = Pattern.compile("[^\\s\"'`$;&|<>()\\\\*?\\[\\]{}~#!\u201C\u201D]+");

    private StepText() {}

    static List<String> lines(int number, Step step, int indent) {
        String margin = "    " + "  ".repeat(indent);
        List<String> lines = new ArrayList<>();
        String what = Stream.concat(step.assignments().stream(), step.words().stream())
                .map(StepText::shown)
                .collect(Collectors.joining(" "));
        lines.add(margin + number + ". " + shortened(joined(step.before()))
                + (what.isEmpty() ? nothing(step) : shortened(what)));
        for (Redirection redirection : step.redirections()) {
            lines.add(margin + "   " + shortened(redirection.inWords(shown(redirection.target()))));
        }
        return lines;
    }

    private static String nothing(Step step) {
        return step.before().stream().anyMatch(GROUP_ENDS::contains) ? "(all of that)" : "(no program)";
    }

    /** A word as it will be where that is known, else as it is written. */
    private static String shown(Word word) {
        return word.isLiteral() ? quoted(word.text()) : VisibleText.line(word.written());
    }

    // Not the shell's own quotes: they would hide from the redactor that a secret follows.
    static String quoted(String text) {
        String visible = VisibleText.line(text);
        return PLAIN.matcher(visible).matches()
                ? visible
                : "\u201C" + visible.replaceAll("[\u201C\u201D]", "\\\\u{201c}") + "\u201D";
    }

    static String shortened(String text) {
        return text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST) + "... [AND " + (text.length() - LONGEST) + " MORE CHARACTERS]";
    }

    private static String joined(List<String> before) {
        String operators = before.stream().filter(each -> !each.equals("\n")).collect(Collectors.joining(" "));
        String meaning = meaning(before);
        return Stream.of(VisibleText.line(operators), meaning.isEmpty() ? "" : "(" + meaning + ")")
                .filter(part -> !part.isEmpty())
                .map(part -> part + " ")
                .collect(Collectors.joining());
    }

    private static String meaning(List<String> before) {
        for (String operator : before.reversed()) {
            switch (operator) {
                case "|" -> {
                    return "with the output of that";
                }
                case "&&" -> {
                    return "if that succeeds";
                }
                case "||" -> {
                    return "if that fails";
                }
                case "&" -> {
                    return "while that goes on";
                }
                case ";", "\n" -> {
                    return "then";
                }
                case "$(", "`" -> {
                    return "whose output is put in there";
                }
                case STARTED -> {
                    return "which starts";
                }
                default -> {}
            }
        }
        return "";
    }
}
