package dev.toolgate.core.shell;

import dev.toolgate.core.call.Bounds;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands a policy allows and blocks. An entry is a name ({@code ls}), which means the program of that name in the
 * system's folders, or an exact path ({@code /opt/tool}); either may have words that must follow ({@code git status}).
 * A trailing star ({@code make *}) allows it with whatever programs it starts, which interpreters and build tools need;
 * without it, {@link SubprocessRules} limits its use. Every command of a line must be allowed and none blocked; a line
 * that cannot be parsed with certainty is refused. Blocking a name blocks it in every folder.
 *
 * @param allowed the only commands allowed; {@code null} means all that are not blocked
 */
public record CommandRules(@Nullable List<String> allowed, List<String> blocked) {
    private static final int MAX_DEPTH = 20;
    private static final String WITH_WHATEVER_IT_STARTS = "*";

    /** The limits of a call. */
    public static CommandRules of(Bounds bounds) {
        return new CommandRules(bounds.allowedCommands(), bounds.blockedCommands());
    }

    /** Why a command line is refused; empty if it is not. */
    public Optional<String> objection(String line) {
        if (allowed == null && blocked.isEmpty()) {
            return Optional.empty();
        }
        try {
            return inLine(line, 0);
        } catch (UncheckableCommand unclear) {
            return Optional.of("The command cannot be checked against the policy because " + unclear.getMessage());
        }
    }

    private Optional<String> inLine(String line, int depth) throws UncheckableCommand {
        if (line.indexOf('\0') >= 0) {
            throw new UncheckableCommand("it contains a NUL character");
        }
        for (Step step : ShellParser.steps(line).all()) {
            Optional<String> objection = step.words().isEmpty() ? Optional.empty() : inCommand(step.words(), depth);
            if (objection.isPresent()) {
                return objection;
            }
        }
        return Optional.empty();
    }

    private Optional<String> inCommand(List<Word> words, int depth) throws UncheckableCommand {
        if (depth > MAX_DEPTH) {
            throw new UncheckableCommand("its commands start one another too many times");
        }
        String name = words.getFirst().literal("the name of a command");
        Optional<String> objection = objection(name, words);
        if (objection.isPresent()) {
            return objection;
        }
        if (allowed != null && allowed.stream().noneMatch(entry -> allowsAll(entry, words))) {
            SubprocessRules.check(words);
        }
        Builtins.check(words);
        for (Started started : Launchers.startedBy(words)) {
            Optional<String> within =
                    switch (started) {
                        case Started.Command command -> inCommand(command.words(), depth + 1);
                        case Started.Line line -> inLine(line.text(), depth + 1);
                    };
            if (within.isPresent()) {
                return within;
            }
        }
        return Optional.empty();
    }

    private Optional<String> objection(String name, List<Word> words) throws UncheckableCommand {
        for (String entry : blocked) {
            if (blocks(entry, name, words)) {
                return Optional.of("Command '" + name + "' is blocked by the policy's command '" + entry + "'");
            }
        }
        return allowed == null || allowed.stream().anyMatch(entry -> allows(entry, words))
                ? Optional.empty()
                : Optional.of("Command '" + name + "' is not among the commands the policy allows: " + allowed);
    }

    private static boolean allowsAll(String entry, List<Word> words) {
        return entry.stripTrailing().endsWith(" " + WITH_WHATEVER_IT_STARTS) && allows(entry, words);
    }

    private static boolean allows(String entry, List<Word> words) {
        List<String> written = split(entry);
        boolean starred = !written.isEmpty() && written.getLast().equals(WITH_WHATEVER_IT_STARTS);
        List<String> expected = starred ? written.subList(0, written.size() - 1) : written;
        return !expected.isEmpty()
                && expected.size() <= words.size()
                && Stream.iterate(0, i -> i < expected.size(), i -> i + 1)
                        .allMatch(i -> words.get(i).is(expected.get(i)));
    }

    // The following words may be anywhere: git -C folder push is a git push as well.
    private static boolean blocks(String entry, String name, List<Word> words) throws UncheckableCommand {
        List<String> expected = split(entry).stream()
                .filter(part -> !part.equals(WITH_WHATEVER_IT_STARTS))
                .toList();
        if (expected.isEmpty() || !isNamed(expected.getFirst(), name)) {
            return false;
        }
        int next = 1;
        for (Word word : words.subList(1, words.size())) {
            if (next < expected.size() && !word.isLiteral()) {
                throw new UncheckableCommand("an argument of '" + name + "' is only known when the shell runs");
            }
            if (next < expected.size() && word.is(expected.get(next))) {
                next++;
            }
        }
        return next == expected.size();
    }

    private static boolean isNamed(String entry, String name) {
        return Launchers.base(entry).equals(Launchers.base(name));
    }

    private static List<String> split(String entry) {
        return Arrays.stream(entry.strip().split("\\s+"))
                .filter(part -> !part.isEmpty())
                .toList();
    }
}
