package dev.toolgate.core.shell;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables a checked command may set. Variables that make the shell, the loader or a program run something else
 * ({@code PATH}, {@code LD_PRELOAD}, {@code GIT_SSH_COMMAND}) are by convention upper case and cannot be listed
 * completely, so only lower-case names are allowed.
 */
final class AllowedVariables {
    private static final Pattern ALLOWED = Pattern.compile("[a-z_][a-z0-9_]*");
    private static final Set<String> HARMLESS = Set.of("CI", "TZ", "NO_COLOR", "NODE_ENV", "RUST_BACKTRACE");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)\\+?=.*", Pattern.DOTALL);

    private AllowedVariables() {}

    /** Refuses a variable that could change the meaning of commands. */
    static void check(String name) throws UncheckableCommand {
        boolean free = ALLOWED.matcher(name).matches() && !name.contains("proxy");
        if (!free && !HARMLESS.contains(name)) {
            throw new UncheckableCommand("it sets the variable '" + name
                    + "', which may change what a command means; lower-case names are allowed");
        }
    }

    /** Whether a text is an assignment; refuses one to a disallowed variable. */
    static boolean isAssignment(String text) throws UncheckableCommand {
        Matcher assignment = ASSIGNMENT.matcher(text);
        if (!assignment.matches()) {
            return false;
        }
        check(assignment.group(1));
        return true;
    }
}
