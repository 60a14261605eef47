package dev.toolgate.core.shell;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks shell builtins that could change the meaning of later commands or run unchecked text. */
final class Builtins {
    private static final Set<String> NEVER = Set.of(
            ".",
            "source",
            "alias",
            "unalias",
            "hash",
            "enable",
            "trap",
            "declare",
            "typeset",
            "local",
            "readonly",
            "let",
            "getopts",
            "mapfile",
            "readarray",
            "bind",
            "complete",
            "compgen",
            "compopt",
            "fc",
            "history",
            "shopt",
            "jobs",
            "coproc",
            "function",
            "select",
            "[[");
    private static final Set<String> SET_OPTIONS = Set.of("pipefail", "errexit", "nounset", "xtrace", "noglob");
    private static final Pattern SET_FLAGS = Pattern.compile("[-+][eufx]+");
    private static final Pattern SET_FLAGS_AND_OPTION = Pattern.compile("[-+][eufx]*o");
    private static final Set<String> COMPARISONS =
            Set.of("=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef");
    private static final Pattern QUESTION = Pattern.compile("-[abcdefghkLnprsStuwxzGNO]");

    private Builtins() {}

    static void check(List<Word> command) throws UncheckableCommand {
        String name = command.getFirst().text();
        List<Word> arguments = command.subList(1, command.size());
        if (NEVER.contains(name)) {
            throw new UncheckableCommand("'" + name + "' can change what later commands mean");
        }
        switch (name) {
            case "export" -> export(arguments);
            case "unset" -> names(arguments);
            case "read" ->
                names(arguments.stream().filter(word -> !word.is("-r")).toList());
            case "printf" -> printf(arguments);
            case "set" -> set(arguments);
            case "wait" -> noOptions(arguments, name);
            case "test" -> test(arguments);
            case "[" -> test(arguments.stream().filter(word -> !word.is("]")).toList());
            default -> {}
        }
    }

    private static void export(List<Word> arguments) throws UncheckableCommand {
        for (Word word : arguments) {
            if (!AllowedVariables.isAssignment(word.prefix())) {
                AllowedVariables.check(word.literal("a variable"));
            } else if (!word.isOne()) {
                // Some shells split it, and every word then sets a variable.
                throw new UncheckableCommand("a variable for 'export' may be more than one word; quote it");
            }
        }
    }

    private static void names(List<Word> arguments) throws UncheckableCommand {
        for (Word word : arguments) {
            AllowedVariables.check(word.literal("a variable"));
        }
    }

    // The option -v sets a variable.
    private static void printf(List<Word> arguments) throws UncheckableCommand {
        Word first = arguments.isEmpty() ? Word.unknown() : arguments.getFirst();
        boolean harmless = first.isLiteral() || !first.prefix().isEmpty();
        if (!arguments.isEmpty() && (!harmless || (first.prefix().startsWith("-") && !first.is("--")))) {
            throw new UncheckableCommand("the first argument of 'printf' may be an option");
        }
    }

    private static void set(List<Word> arguments) throws UncheckableCommand {
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i).literal("an option of 'set'");
            if (option.equals("--")) {
                return;
            }
            boolean named = SET_FLAGS_AND_OPTION.matcher(option).matches();
            boolean known = named
                    ? ++i < arguments.size()
                            && SET_OPTIONS.contains(arguments.get(i).literal("an option of 'set'"))
                    : SET_FLAGS.matcher(option).matches();
            if (!known) {
                throw new UncheckableCommand("'set' has an option that may change what later commands mean");
            }
        }
    }

    private static void noOptions(List<Word> arguments, String name) throws UncheckableCommand {
        for (Word word : arguments) {
            if (word.literal("an argument of '" + name + "'").startsWith("-")) {
                throw new UncheckableCommand("'" + name + "' has an option");
            }
        }
    }

    // The option -v, which an expansion could produce, evaluates subscripts.
    private static void test(List<Word> arguments) throws UncheckableCommand {
        List<Word> rest = !arguments.isEmpty() && arguments.getFirst().is("!")
                ? arguments.subList(1, arguments.size())
                : arguments;
        boolean single = rest.stream().allMatch(Word::isOne);
        boolean plain =
                switch (rest.size()) {
                    case 0 -> true;
                    case 1 -> single;
                    case 2 ->
                        single
                                && rest.getFirst().isLiteral()
                                && QUESTION.matcher(rest.getFirst().text()).matches();
                    case 3 ->
                        single
                                && rest.get(1).isLiteral()
                                && COMPARISONS.contains(rest.get(1).text());
                    default -> false;
                };
        if (!plain) {
            throw new UncheckableCommand("'test' has more than one condition, or a variable outside quotes");
        }
    }
}
