package dev.toolgate.core.shell;

import dev.toolgate.core.output.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders one step for approvers. */
final class StepText {
    /** Marks a program started by another. */
    static final String STARTED = "->";

    private static final Set<String> GROUP_ENDS = Set.of(")", "}", "fi", "done", "esac");
    private static final int MAX_LENGTH = 300;
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

    /** The value of a word if known, else its source. */
    private static String shown(Word word) {
        return word.isLiteral() ? quoted(word.text()) : VisibleText.line(word.written());
    }

    // Not the shell's quotes, which would keep the redactor from recognising secrets.
    static String quoted(String text) {
        String visible = VisibleText.line(text);
        return PLAIN.matcher(visible).matches()
                ? visible
                : "\u201C" + visible.replaceAll("[\u201C\u201D]", "\\\\u{201c}") + "\u201D";
    }

    static String shortened(String text) {
        return text.length() <= MAX_LENGTH
                ? text
                : text.substring(0, MAX_LENGTH) + "... [AND " + (text.length() - MAX_LENGTH) + " MORE CHARACTERS]";
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
                    return "while that runs";
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
