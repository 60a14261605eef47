package dev.toolgate.core.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The command that {@code xargs} starts, with unknown words appended. */
final class Xargs {
    private static final Options OPTIONS = Options.of("0rtxo", "nPLIsdEa")
            .named(
                    Set.of("null", "no-run-if-empty", "verbose", "exit", "open-tty"),
                    Set.of("max-args", "max-procs", "max-chars", "delimiter", "arg-file"));

    private Xargs() {}

    static List<Started> started(List<Word> words) throws UncheckableCommand {
        int at = OPTIONS.skip(words);
        List<Word> command = words.subList(at, words.size());
        if (command.isEmpty()) {
            return List.of(); // it runs echo
        }
        // With a placeholder nothing is appended, but which options take effect depends on xargs.
        List<String> marks = marks(words.subList(1, at));
        return Launchers.command(
                Stream.concat(command.stream().map(word -> replacing(marks, word)), Stream.of(Word.unknown()))
                        .toList());
    }

    private static Word replacing(List<String> marks, Word word) {
        Word replaced = word;
        for (String mark : marks) {
            replaced = replaced.replacing(mark);
        }
        return replaced;
    }

    /** The placeholders it may replace. */
    private static List<String> marks(List<Word> options) throws UncheckableCommand {
        List<String> marks = new ArrayList<>();
        for (int i = 0; i < options.size(); i++) {
            String option = options.get(i).literal("an option of 'xargs'");
            int letter = option.indexOf('I');
            if (letter > 0 && option.startsWith("-")) {
                String attached = option.substring(letter + 1);
                marks.add(
                        attached.isEmpty() && i + 1 < options.size()
                                ? options.get(i + 1).text()
                                : attached);
            }
        }
        if (marks.contains("")) {
            throw new UncheckableCommand("'xargs' replaces an empty mark");
        }
        return marks;
    }
}
