package dev.toolgate.core.shell;

import java.util.List;
import java.util.Set;

/**
 * Accepts uses of {@code git} that start no other programs: listed subcommands without options that name a program.
 * Configuration, hooks and filters can start programs too; those of the workspace's own repository are protected by the
 * sandbox, and git is made to use no other.
 */
final class GitUse {
    private static final String GIT = "git";

    private static final Set<String> HARMLESS = Set.of(
            "add",
            "am",
            "apply",
            "archive",
            "blame",
            "branch",
            "cat-file",
            "check-ignore",
            "checkout",
            "cherry",
            "cherry-pick",
            "clean",
            "commit",
            "count-objects",
            "describe",
            "diff",
            "diff-tree",
            "fetch",
            "for-each-ref",
            "format-patch",
            "fsck",
            "gc",
            "grep",
            "log",
            "ls-files",
            "ls-tree",
            "merge",
            "merge-base",
            "mv",
            "name-rev",
            "notes",
            "pull",
            "push",
            "reflog",
            "remote",
            "reset",
            "restore",
            "rev-list",
            "rev-parse",
            "revert",
            "rm",
            "shortlog",
            "show",
            "show-ref",
            "stash",
            "status",
            "switch",
            "tag",
            "version",
            "whatchanged");

    private static final Set<String> GLOBAL_FLAGS = Set.of(
            "--no-pager",
            "-P",
            "--no-optional-locks",
            "--literal-pathspecs",
            "--no-replace-objects",
            "--version",
            "--help");

    private static final Set<String> REFUSED = Set.of(
            "upload-pack",
            "receive-pack",
            "exec",
            "ext-diff",
            "textconv",
            "filters",
            "open-files-in-pager",
            "extcmd",
            "tool",
            "template",
            "config",
            "config-env",
            "exec-path",
            "git-dir",
            "work-tree",
            "remote",
            "strategy",
            "interactive",
            "patch-with-editor",
            "web");

    /** Options that only read configuration. */
    private static final Set<String> READING = Set.of("--get", "--get-all", "--get-regexp", "--list", "-l");

    private GitUse() {}

    static void check(List<Word> arguments) throws UncheckableCommand {
        int at = 0;
        while (at < arguments.size()) {
            String option = arguments.get(at).literal("an argument of 'git'");
            if (!option.startsWith("-")) {
                subcommand(option, arguments.subList(at + 1, arguments.size()));
                return;
            }
            if (option.equals("-C")) {
                at++; // the repository stays the workspace's own
                if (at < arguments.size() && !arguments.get(at).isOne()) {
                    throw new UncheckableCommand(
                            "the folder of 'git -C' may become several arguments; put it in quotes");
                }
            } else if (!GLOBAL_FLAGS.contains(option)) {
                throw SubprocessRules.refusal(GIT, option);
            }
            at++;
        }
    }

    private static void subcommand(String name, List<Word> arguments) throws UncheckableCommand {
        if (name.equals("config")) {
            String how = arguments.isEmpty() ? "" : arguments.getFirst().literal("an argument of 'git config'");
            if (!READING.contains(how)) {
                throw new UncheckableCommand("'git config' can set what git starts; only its "
                        + String.join(", ", READING) + " are allowed unless 'git config *' is listed");
            }
            return;
        }
        if (!HARMLESS.contains(name)) {
            throw new UncheckableCommand("'git " + name + "' can start other programs; list it as 'git " + name
                    + " *' to allow it with every program it starts");
        }
        boolean options = true;
        for (Word argument : arguments) {
            options &= !argument.is("--");
            String option = options ? SubprocessRules.optionOrEmpty("git " + name, argument) : "";
            if (option.startsWith("--")) {
                SubprocessRules.refuseLong(GIT, option, REFUSED);
            } else if (option.startsWith("-") && isRefused(name, option)) {
                throw SubprocessRules.refusal(GIT, option);
            }
            // ext::sh -c ... is a remote that runs a command, where git's configuration allows it.
            if (argument.prefix().startsWith("ext::") || argument.prefix().startsWith("fd::")) {
                throw SubprocessRules.refusal(GIT, argument.prefix());
            }
        }
    }

    private static boolean isRefused(String subcommand, String letters) {
        return switch (subcommand) {
            case "grep" -> letters.indexOf('O') >= 0;
            case "merge", "pull", "cherry-pick", "revert" -> letters.indexOf('s') >= 0 && !letters.contains("signoff");
            case "archive" -> letters.contains("exec");
            default -> false;
        };
    }
}
