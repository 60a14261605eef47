package dev.toolgate.core.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The commands that {@code find} starts. */
final class Find {
    private static final Set<String> ACTIONS = Set.of("-exec", "-execdir", "-ok", "-okdir");
    private static final String MARK = "{}";

    private Find() {}

    static List<Started> started(List<Word> words) throws UncheckableCommand {
        List<Started> started = new ArrayList<>();
        List<Word> command = null;
        for (Word word : words.subList(1, words.size())) {
            String text = word.literal("an argument of 'find'"); // an expansion could become an action
            if (command == null) {
                command = ACTIONS.contains(text) ? new ArrayList<>() : null;
            } else if (text.equals(";") || (text.equals("+") && endsWithMark(command))) {
                started.addAll(Launchers.command(
                        command.stream().map(part -> part.replacing(MARK)).toList()));
                command = null;
            } else {
                command.add(word);
            }
        }
        if (command != null) {
            throw new UncheckableCommand("an action of 'find' has no end");
        }
        return started;
    }

    private static boolean endsWithMark(List<Word> command) {
        return !command.isEmpty() && command.getLast().is(MARK);
    }
}
