package dev.toolgate.core.shell;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Accepts uses of {@code awk} that start no program: one inline script without pipes, {@code system}, {@code getline}
 * or indirect calls.
 */
final class AwkUse {
    private static final String AWK = "awk";
    private static final Pattern STARTING = Pattern.compile("system|getline|[|@`]");

    private AwkUse() {}

    static void check(List<Word> arguments) throws UncheckableCommand {
        int at = 0;
        while (at < arguments.size()) {
            String option = SubprocessRules.optionOrEmpty(AWK, arguments.get(at));
            if (option.isEmpty()) {
                script(arguments.get(at).literal("the script of 'awk'"));
                return;
            }
            if (option.equals("-F") || option.equals("-v")) {
                at++;
                if (at < arguments.size()) {
                    arguments.get(at).literal("an option of 'awk'");
                }
            } else if (option.equals("--")) {
                at++;
                if (at < arguments.size()) {
                    script(arguments.get(at).literal("the script of 'awk'"));
                }
                return;
            } else if (!option.startsWith("-F") && !option.startsWith("-v")) {
                throw SubprocessRules.refusal(AWK, option);
            }
            at++;
        }
    }

    private static void script(String text) throws UncheckableCommand {
        if (STARTING.matcher(text.replace("||", " ")).find()) {
            throw new UncheckableCommand(
                    "the script of 'awk' may start other programs; leave out pipes, system, getline and @,"
                            + " or have 'awk *' listed to allow it with every program it starts");
        }
    }
}
