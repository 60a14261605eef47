package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.platform.Account;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The environment variables inside a sandbox. */
final class Environment {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Managed by the shell; some shells exit when these are set. */
    private static final Set<String> SHELL_VARIABLES = Set.of(
            "PWD",
            "OLDPWD",
            "PPID",
            "UID",
            "EUID",
            "GROUPS",
            "IFS",
            "OPTIND",
            "LINENO",
            "BASHOPTS",
            "SHELLOPTS",
            "BASH_VERSINFO",
            "_");

    /** These differ inside the sandbox. */
    private static final Set<String> SANDBOX_VARIABLES = Set.of("HOME", "TMPDIR", "USER", "LOGNAME", "SHELL");

    private Environment() {}

    /** The base environment of every command. */
    static Map<String, String> base(Account account) {
        return new TreeMap<>(Map.of(
                "HOME", BubblewrapProfile.HOME,
                "TMPDIR", "/tmp",
                "USER", account.name(),
                "LOGNAME", account.name(),
                "SHELL", "/bin/sh",
                "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "LANG", "C.UTF-8",
                "TERM", "dumb"));
    }

    /** Whether a caller may set it; others are dropped silently, because they have no meaning inside. */
    static boolean canBeSet(String name) {
        return NAME.matcher(name).matches() && !SHELL_VARIABLES.contains(name) && !SANDBOX_VARIABLES.contains(name);
    }
}
