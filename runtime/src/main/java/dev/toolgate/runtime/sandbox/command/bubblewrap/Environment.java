package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.platform.Account;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The variables a command sees. */
final class Environment {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** A shell keeps these itself, and some shells end when they are set. */
    private static final Set<String> OF_THE_SHELL = Set.of(
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

    /** These name places that are different inside. */
    private static final Set<String> OF_THE_SANDBOX = Set.of("HOME", "TMPDIR", "USER", "LOGNAME", "SHELL");

    private Environment() {}

    /** What every command gets. */
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

    /** Whether a caller may set it; the others are left out without a word, as they mean nothing inside. */
    static boolean canBeSet(String name) {
        return NAME.matcher(name).matches() && !OF_THE_SHELL.contains(name) && !OF_THE_SANDBOX.contains(name);
    }
}
