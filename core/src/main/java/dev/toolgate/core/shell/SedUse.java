package dev.toolgate.core.shell;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Accepts uses of {@code sed} that start no program: scripts of plain substitutions, printing, deleting and quitting,
 * or any script with {@code --sandbox}, with which sed itself refuses to start programs.
 */
final class SedUse {
    private static final String SED = "sed";

    private static final String ADDRESS = "(?:\\d+(?:~\\d+)?|\\$|/(?:[^/\\\\\\n]|\\\\[^\\n])*/I?)";
    private static final String WHERE = ADDRESS + "?(?:," + "\\+?" + ADDRESS + ")?\\s*!?\\s*";
    private static final String SUBSTITUTION =
            "[sy](?:/(?:[^/\\\\\\n]|\\\\[^\\n])*/(?:[^/\\\\\\n]|\\\\[^\\n])*/|\\|(?:[^|\\\\\\n]|\\\\[^\\n])*\\|(?:[^|\\\\\\n]|\\\\[^\\n])*\\|"
                    + "|#(?:[^#\\\\\\n]|\\\\[^\\n])*#(?:[^#\\\\\\n]|\\\\[^\\n])*#|,(?:[^,\\\\\\n]|\\\\[^\\n])*,(?:[^,\\\\\\n]|\\\\[^\\n])*,)[gpiI0-9]*";
    private static final String COMMAND = "\\s*" + WHERE + "(?:" + SUBSTITUTION + "|[pdqnNPDhHgGx=])?\\s*";
    private static final Pattern PLAIN = Pattern.compile(COMMAND + "(?:[;\\n]" + COMMAND + ")*+");
    private static final Pattern FLAGS = Pattern.compile("-[nErsuz]+");
    private static final Pattern IN_PLACE = Pattern.compile("-[nErsuz]*i[^nErsuzef]?[A-Za-z0-9._~]*");
    private static final int MAX_LENGTH = 2000;

    private SedUse() {}

    static void check(List<Word> arguments) throws UncheckableCommand {
        if (!arguments.isEmpty() && arguments.getFirst().is("--sandbox")) {
            return;
        }
        boolean scripted = false;
        for (int i = 0; i < arguments.size(); i++) {
            String option = SubprocessRules.optionOrEmpty(SED, arguments.get(i));
            if (option.equals("--")) {
                operands(arguments.subList(i + 1, arguments.size()), scripted);
                return;
            }
            if (option.equals("-e") || option.equals("--expression")) {
                i++;
                script(i < arguments.size() ? arguments.get(i).literal("a script of 'sed'") : "");
                scripted = true;
            } else if (option.isEmpty()) {
                if (!scripted) {
                    script(arguments.get(i).literal("the script of 'sed'"));
                    scripted = true;
                }
            } else if (!FLAGS.matcher(option).matches()
                    && !IN_PLACE.matcher(option).matches()) {
                throw SubprocessRules.refusal(SED, option);
            }
        }
    }

    private static void operands(List<Word> operands, boolean scripted) throws UncheckableCommand {
        if (!scripted && !operands.isEmpty()) {
            script(operands.getFirst().literal("the script of 'sed'"));
        }
    }

    private static void script(String text) throws UncheckableCommand {
        if (text.length() > MAX_LENGTH || !PLAIN.matcher(text).matches()) {
            throw new UncheckableCommand(
                    "the script of 'sed' may start other programs; write it as plain substitutions with"
                            + " /, |, # or comma between their parts, or use sed --sandbox");
        }
    }
}
