package dev.toolgate.core.shell;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables a checked command may set. By custom the ones that make the shell, the loader or a
 * program run something else ({@code PATH}, {@code LD_PRELOAD}, {@code GIT_SSH_COMMAND}) are written
 * in capitals, and no list of them could be complete; so it is names in small letters that are free.
 */
final class Names {
    static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Pattern FREE = Pattern.compile("[a-z_][a-z0-9_]*");
    private static final Set<String> HARMLESS = Set.of("CI", "TZ", "NO_COLOR", "NODE_ENV", "RUST_BACKTRACE");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)\\+?=.*", Pattern.DOTALL);

    private Names() {}

    /** Refuses a variable that could change what commands mean. */
    static void check(String name) throws NotUnderstood {
        boolean free = FREE.matcher(name).matches() && !name.contains("proxy");
        if (!free && !HARMLESS.contains(name)) {
            throw new NotUnderstood("it sets the variable '" + name
                    + "', which may change what a command means; names in small letters are free");
        }
    }

    /** Whether a text sets a variable; refuses it if it sets one that is not free. */
    static boolean isAssignment(String text) throws NotUnderstood {
        Matcher assignment = ASSIGNMENT.matcher(text);
        if (!assignment.matches()) {
            return false;
        }
        check(assignment.group(1));
        return true;
    }
}
