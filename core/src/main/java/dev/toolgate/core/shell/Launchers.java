package dev.toolgate.core.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Programs that exist to start others. Those that can be analysed are; the rest are refused. For programs that start
 * others incidentally see {@link SubprocessRules}.
 */
final class Launchers {
    private static final Map<String, Options> KNOWN = Map.ofEntries(
            Map.entry("nohup", Options.NONE),
            Map.entry("builtin", Options.NONE),
            Map.entry("exec", Options.NONE),
            Map.entry("busybox", Options.NONE),
            Map.entry("toybox", Options.NONE),
            Map.entry("env", Options.NONE),
            Map.entry("command", Options.of("vV", "")),
            Map.entry("time", Options.of("p", "")),
            Map.entry("setsid", Options.of("fwc", "")),
            Map.entry("sudo", Options.of("n", "u")),
            Map.entry("doas", Options.of("n", "u")),
            Map.entry("nice", Options.of("0123456789", "n").named(Set.of(), Set.of("adjustment"))),
            Map.entry("ionice", Options.of("t", "cn")),
            Map.entry("stdbuf", Options.of("", "ioe").named(Set.of(), Set.of("input", "output", "error"))),
            Map.entry(
                    "timeout",
                    Options.of("v", "ks")
                            .named(Set.of("foreground", "preserve-status", "verbose"), Set.of("kill-after", "signal"))
                            .before(1)));

    private static final Set<String> TAKE_ASSIGNMENTS = Set.of("env", "sudo");
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ash");
    private static final Pattern RUN_LINE = Pattern.compile("-[eux]*c");

    private static final Set<String> OPAQUE = Set.of(
            "zsh",
            "ksh",
            "ksh93",
            "mksh",
            "oksh",
            "rksh",
            "rbash",
            "yash",
            "posh",
            "fish",
            "csh",
            "tcsh",
            "nu",
            "xonsh",
            "parallel",
            "watch",
            "strace",
            "ltrace",
            "gdb",
            "valgrind",
            "perf",
            "script",
            "su",
            "runuser",
            "chroot",
            "unshare",
            "nsenter",
            "setpriv",
            "setarch",
            "linux32",
            "linux64",
            "i386",
            "x86_64",
            "uname26",
            "taskset",
            "chrt",
            "choom",
            "numactl",
            "prlimit",
            "flock",
            "entr",
            "expect",
            "unbuffer",
            "fakeroot",
            "fakechroot",
            "faketime",
            "proot",
            "systemd-run",
            "start-stop-daemon",
            "run-parts",
            "run0",
            "at",
            "batch",
            "crontab",
            "pkexec",
            "capsh",
            "gosu",
            "su-exec",
            "setuidgid",
            "chpst",
            "tini",
            "dumb-init",
            "catatonit",
            "bwrap",
            "firejail",
            "dbus-run-session",
            "dbus-launch",
            "xvfb-run",
            "rlwrap",
            "screen",
            "tmux",
            "ssh-agent",
            "catchsegv",
            "sg",
            "newgrp");
    private static final Pattern LOADER = Pattern.compile("ld(-.*)?\\.so(\\..*)?|ld-.*");

    private Launchers() {}

    /** The last part of a name that may be a path. */
    static String base(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** What a command starts, if it is a launcher. */
    static List<Started> startedBy(List<Word> words) throws UncheckableCommand {
        String name = base(words.getFirst().text());
        if (OPAQUE.contains(name) || LOADER.matcher(name).matches()) {
            throw new UncheckableCommand("'" + name + "' starts other programs in a way that cannot be checked");
        }
        if (SHELLS.contains(name)) {
            return List.of(shell(words));
        }
        if (KNOWN.containsKey(name)) {
            return started(words, KNOWN.get(name), name);
        }
        return switch (name) {
            case "eval" -> List.of(new Started.Line(joined(words)));
            case "xargs" -> Xargs.started(words);
            case "find" -> Find.started(words);
            default -> List.of();
        };
    }

    private static List<Started> started(List<Word> words, Options options, String name) throws UncheckableCommand {
        int at = options.skip(words);
        if (name.equals("command") && at > 1 && !words.get(1).is("--")) {
            return List.of(); // it only prints what would run
        }
        while (TAKE_ASSIGNMENTS.contains(name)
                && at < words.size()
                && AllowedVariables.isAssignment(words.get(at).prefix())) {
            if (!words.get(at).isOne()) {
                throw new UncheckableCommand("a variable for '" + name + "' may be more than one word; quote it");
            }
            at++;
        }
        return command(words.subList(at, words.size()));
    }

    /** These words as a command, if any. */
    static List<Started> command(List<Word> words) {
        return words.isEmpty() ? List.of() : List.of(new Started.Command(List.copyOf(words)));
    }

    // A shell that reads a file or its input runs unchecked text.
    private static Started shell(List<Word> words) throws UncheckableCommand {
        int at = 1;
        while (at < words.size()
                && words.get(at).isLiteral()
                && words.get(at).text().matches("-[eux]+")) {
            at++;
        }
        if (at + 1 >= words.size()
                || !words.get(at).isLiteral()
                || !RUN_LINE.matcher(words.get(at).text()).matches()) {
            throw new UncheckableCommand("'" + words.getFirst().text() + "' is only understood with -c and a line");
        }
        String line =
                words.get(at + 1).literal("the line for '" + words.getFirst().text() + "'");
        if (line.startsWith("-") || line.startsWith("+")) {
            throw new UncheckableCommand("the line for '" + words.getFirst().text() + "' may be an option");
        }
        return new Started.Line(line);
    }

    private static String joined(List<Word> words) throws UncheckableCommand {
        List<String> line = new ArrayList<>();
        for (Word word : words.subList(1, words.size())) {
            line.add(word.literal("an argument of 'eval'"));
        }
        return String.join(" ", line);
    }
}
